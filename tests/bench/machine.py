"""The machine that measures."""

import os


def machine() -> str:
    """How many cores there are, and whether others keep them busy."""
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    busy = ", so busy with other work that the times say little" if load > cores / 2 else ""
    return f"{cores} cores, load {load:.1f}{busy}"
