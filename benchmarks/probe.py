"""The program that a fresh interpreter runs: read two tables, dequantize, say what it took."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks.fresh import peak_megabytes


def main(folder: Path) -> None:
    import polars as pl

    import unround

    reviews = pl.read_ipc(folder / "reviews.arrow")
    rankings = pl.read_ipc(folder / "rankings.arrow")
    before = peak_megabytes()
    result = unround.dequantize(reviews, rankings)
    assert result.scores.height == reviews.height
    print(json.dumps({"before": before, "peak": peak_megabytes()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
