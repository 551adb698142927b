"""Write the numbers and pictures of docs/rivals.md from finished studies.

    unround reproduce studies/rivals --trials N --data iclr_2017.csv -o rivals
    PYTHONPATH=. python docs/_tools/rivals.py rivals

Only the parts between marks are written; pictures go to docs/_static/rivals, with few colours. Studies may
lie in several folders, where they were run with different numbers of trials.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from marked import filled, table
from PIL import Image
from studies.rivals.comparison import Against, against, ahead

from unround.lab.figures import as_bytes, draw
from unround.lab.plan import read_folder
from unround.lab.registry import find_method
from unround.lab.results import Results

DOCS = Path(__file__).parents[1]
STUDY = DOCS.parent / "studies" / "rivals"
PAGE = DOCS / "rivals.md"
COLOURS = 128
PICTURES = ("rivals-reviews", "rivals-papers")


def main(folders: Sequence[Path]) -> None:
    """Write pictures and parts."""
    results = read(folders)
    page = filled(PAGE.read_text("utf-8"), parts(results), "docs/_tools/rivals.py")
    PAGE.write_text(page, "utf-8")
    target = DOCS / "_static" / "rivals"
    target.mkdir(parents=True, exist_ok=True)
    for figure in read_folder(STUDY).figures:
        drawing = draw(figure, results) if figure.name in PICTURES else None
        if drawing is not None:
            picture = Image.open(io.BytesIO(as_bytes(drawing, "png"))).convert("RGB")
            few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(target / f"{figure.name}.png", optimize=True)


def read(folders: Sequence[Path]) -> Results:
    """The tables of finished studies."""
    tables = [
        pl.read_parquet(path) for folder in folders for path in folder.glob("tables/*.parquet")
    ]
    return Results(read_folder(STUDY).studies, pl.concat(tables))


def parts(results: Results) -> dict[str, str]:
    """What is written, by the name of its marks."""
    rows = against(results.table, results.study("rivals-papers"), "papers")
    return {"trials": _trials(results), "ahead by papers": _ahead(rows)}


def _trials(results: Results) -> str:
    counts = results.table.group_by("study").agg(pl.col("trial").n_unique()).sort("study")
    listed = ", ".join(f"{trials} of `{study}`" for study, trials in counts.iter_rows())
    return f"Trials per setting: {listed}."


def _ahead(rows: Sequence[Against]) -> str:
    by_setting = ahead(rows)
    leading = [row for found in by_setting.values() for row in found]
    clear = sum(row.is_clear for row in leading)
    said = (
        f"Of {len(rows)} comparisons, another method is ahead of the proposed one in {len(leading)}, clearly "
        f"in {clear}. All of them, those that are clear in bold:"
    )
    listed = [
        (setting, "; ".join(_lead(row) for row in found) or "none")
        for setting, found in by_setting.items()
    ]
    return f"{said}\n\n{table(('Setting', 'Ahead of the proposed method, by'), listed)}"


def _lead(row: Against) -> str:
    label = find_method(row.method).label
    text = f"{label}: {abs(row.difference):.1f}% ± {row.difference_error:.1f}"
    return f"**{text}**" if row.is_clear else text


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
