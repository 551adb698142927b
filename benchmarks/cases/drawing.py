"""Draw a conference and write its tables, as a program: when its process ends, all memory is free."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.cases.conferences import iclr_shape, synthetic, write


def main(folder: Path, reviews: int, load: int) -> None:
    """A load of 0 stands for ICLR 2017's shape."""
    write(synthetic(reviews, load) if load else iclr_shape(), folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
