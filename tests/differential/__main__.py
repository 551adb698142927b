"""Compare unround with the reference: python -m tests.differential [--conferences 1000] [--seed 0]."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.differential.compare import compare
from tests.differential.conferences import make

PROCESS_EVERY = 200  # conferences, of which one is run by a process of its own
SHOWN = 10
MEMORY = Path("/dev/shm")  # where the system keeps files in memory, if it does


def main() -> int:
    """Compare many conferences; return 1 if any differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--conferences", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first conference")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same conferences")
    options = parser.parse_args()
    began, found, apart = time.perf_counter(), 0, 0.0
    seen: Counter[str] = Counter()
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for number in range(options.first, options.first + options.conferences):
            conference = make(number, options.seed, Path(folder))
            process = number % PROCESS_EVERY == 0
            compared = compare(conference, Path(folder), process)
            seen[compared.outcome] += 1
            apart = max(apart, compared.apart)
            if compared.wrong:
                found += 1
                if found <= SHOWN:
                    print(f"conference {number}: {'; '.join(compared.wrong)}", flush=True)
            if (number + 1) % 500 == 0:
                print(f"{number + 1:,} compared, {found:,} differ", flush=True)
    seconds = time.perf_counter() - began
    for outcome, count in sorted(seen.items()):
        print(f"{count:,} {outcome}")
    print(
        f"{found:,} differ; no score by more than {apart:.1e} level spacings; "
        f"{1000 * seconds / options.conferences:.0f} ms each"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
