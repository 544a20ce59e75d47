"""How much memory this computer has free, where it tells."""

import re
from pathlib import Path

MEMINFO = Path("/proc/meminfo")  # of Linux, in kB


def free_memory(file: Path = MEMINFO) -> int | None:
    """Bytes that can be used without pushing anything out; None where the computer does not tell."""
    try:
        found = re.search(r"^MemAvailable:\s+(\d+) kB$", file.read_text(encoding="ascii"), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return int(found[1]) * 1024 if found else None
