"""The layout holds: arrows between the folders point one way, and the tree stays small and as described."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from attention_view.colours import ENOUGH_FOR_TEXT, PALETTE, contrast

ROOT = Path(__file__).parents[1]
LARGEST_FILE = 1_000_000  # bytes

# What reads the files of real models; imported when one is read, and not before.
MODEL_FILES = {"gguf", "safetensors", "tokenizers"}

# What each part may import. The arrows: attention_core <- attention_view <- pages <- app.py
MAY_IMPORT = {
    "attention_core": {"attention_core", "numpy", *MODEL_FILES},
    "attention_view": {"attention_core", "attention_view", "numpy", "plotly", "streamlit"},
    "pages": {"attention_core", "attention_view", "numpy", "streamlit"},
    "app.py": {"attention_view", "streamlit"},
}
# The parts of attention_view that talk to Streamlit. Every other part turns arrays into figures, markup or words.
MAY_USE_STREAMLIT = {
    "asked",
    "by_hand", "calculator", "check", "drawn", "frame", "history", "inputs", "lesson", "mistake_inputs", "map_view",
    "number_table", "offered", "opener", "own_text", "picture", "plot", "progress", "real_model", "spotlight",
    "take_away", "token_view", "workbench", "head_gallery",
}  # fmt: skip

TOP_LEVEL = {
    ".ci", ".github", ".gitignore", ".streamlit", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "app.py",
    "attention_core", "attention_view", "pages", "pyproject.toml", "requirements-bench.txt", "requirements-dev.txt",
    "requirements.txt", "tests",
}  # fmt: skip


def python_files(part):
    path = ROOT / part
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def imported(file):
    """The names of the packages that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: imports name the whole path"
            names.add(node.module.split(".")[0])
    return names


def module_names(package):
    files = (file.relative_to(ROOT).with_suffix("") for file in python_files(package))
    return [".".join(file.parts).removesuffix(".__init__") for file in files if file.name != "__main__"]


def import_with_blocked(modules, blocked):
    """Import modules in a new Python that does not have the blocked packages; return what it complains of."""
    program = (
        "import importlib, sys\n"
        f"sys.modules.update(dict.fromkeys({sorted(blocked)!r}))\n"
        f"for module in {modules!r}: importlib.import_module(module)\n"
    )
    return subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True).stderr


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this copy has no git history, so nothing says which files belong to it")
    return [Path(name) for name in listed.stdout.split("\0") if name]


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_point_one_way(part):
    assert python_files(part)
    for file in python_files(part):
        foreign = imported(file) - sys.stdlib_module_names - MAY_IMPORT[part]
        assert not foreign, f"{file.relative_to(ROOT)} must not import {', '.join(sorted(foreign))}"


def test_the_core_runs_with_numpy_alone():
    assert import_with_blocked(module_names("attention_core"), {"streamlit", "plotly", "pandas", *MODEL_FILES}) == ""


def test_figures_and_markup_do_without_streamlit():
    modules = [name for name in module_names("attention_view") if "." in name]
    pure = [name for name in modules if name.split(".")[1] not in MAY_USE_STREAMLIT]
    assert any(name.startswith("attention_view.figures") for name in pure)
    assert import_with_blocked(pure, {"streamlit", "pandas"}) == ""


def test_a_blocked_package_is_noticed():
    assert "import of streamlit halted" in import_with_blocked(["attention_view.frame"], {"streamlit"})


def test_every_page_stands_in_the_lesson_and_every_lesson_has_its_page():
    from attention_view.lesson import LESSONS

    assert [lesson.stem for lesson in LESSONS] == list(dict.fromkeys(lesson.stem for lesson in LESSONS))
    assert {lesson.stem for lesson in LESSONS} == {file.stem for file in python_files("pages")}


def test_every_page_hands_over_to_the_frame_before_it_draws():
    """A fresh server that is opened at a page's own address runs the page alone: the guard ends that."""
    for file in python_files("pages"):
        calls = [
            ast.unparse(node) for node in ast.parse(file.read_text(encoding="utf-8")).body if calls_something(node)
        ]
        assert calls[0] == "lesson.require_frame()", file


def calls_something(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def test_the_theme_of_the_widgets_is_the_palette():
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    assert theme["light"]["primaryColor"] == PALETTE["weight"].light
    for name, meaning in {"backgroundColor": "page", "secondaryBackgroundColor": "surface", "textColor": "ink"}.items():
        assert theme["light"][name] == PALETTE[meaning].light
        assert theme["dark"][name] == PALETTE[meaning].dark
    for name in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(theme["dark"]["primaryColor"], theme["dark"][name]) >= ENOUGH_FOR_TEXT


def test_no_tracked_file_is_large():
    large = [name for name in tracked_files() if (ROOT / name).exists() and (ROOT / name).stat().st_size > LARGEST_FILE]
    assert not large


def test_nothing_new_lies_at_the_top():
    assert {name.parts[0] for name in tracked_files()} <= TOP_LEVEL
