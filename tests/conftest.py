"""What all tests share: how Hypothesis searches."""

import os

from hypothesis import settings

settings.register_profile(
    "attention",
    deadline=None,  # a slow machine is no failure
    derandomize=bool(os.environ.get("CI")),  # the same search every time, so that a red run can be repeated
    print_blob=True,
)
settings.load_profile("attention")
