"""A model fetched from the terminal: python -m attention_core.models.fetch smollm2"""

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from attention_core.models.fetching import FETCHABLE, FetchError, fetch
from attention_core.models.files import models_folder
from attention_core.models.progress import Progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch the model that the arguments name; return 0 if it is there then."""
    parser = argparse.ArgumentParser(prog="python -m attention_core.models.fetch", description=__doc__)
    parser.add_argument("model", choices=sorted(FETCHABLE), help="; ".join(map(_described, sorted(FETCHABLE))))
    fetchable = FETCHABLE[parser.parse_args(arguments).model]
    try:
        place = fetch(fetchable, models_folder(), progress=_line(fetchable.name))
    except FetchError as error:
        print(f"\n{error}" if sys.stdout.isatty() else error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped; nothing was kept.", file=sys.stderr)
        return 130
    print(f"{fetchable.name} is in {place}")
    return 0


def _described(name: str) -> str:
    fetchable = FETCHABLE[name]
    return f"{name}: {fetchable.name}, {fetchable.n_bytes / 1e6:.0f} MB, {fetchable.licence}"


def _line(name: str) -> Progress | None:
    """Progress as a line that is written over; nothing where nobody watches."""
    if not sys.stdout.isatty():
        return None
    return lambda fraction: print(f"\r{name}: {fraction:4.0%}", end="" if fraction < 1 else "\n", flush=True)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _leave)  # so that nothing half-done is left then either
    sys.exit(main())
