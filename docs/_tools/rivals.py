"""Write the numbers and pictures of docs/rivals.md from finished studies.

    unround reproduce studies/rivals --trials N --data PeerRead -o rivals
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
from studies.rivals.comparison import OURS, POINTS, Against, against, ahead, gave_up, seconds

from unround.lab.figures import as_bytes, draw
from unround.lab.plan import read_folder
from unround.lab.registry import find_method
from unround.lab.results import Results

DOCS = Path(__file__).parents[1]
STUDY = DOCS.parent / "studies" / "rivals"
PAGE = DOCS / "rivals.md"
COLOURS = 128
NO_BREAK = "\u00a0"
PARTS = (
    ("reviews", "rivals-reviews", "kendall"),
    ("papers", "rivals-papers", "papers"),
    ("line", "rivals-papers", "missed"),
    ("iclr", "rivals-iclr", "papers"),
    ("iclr line", "rivals-iclr", "missed"),
)


def main(folders: Sequence[Path]) -> None:
    """Write pictures and parts."""
    results = read(folders)
    page = filled(PAGE.read_text("utf-8"), parts(results), "docs/_tools/rivals.py")
    PAGE.write_text(page, "utf-8")
    target = DOCS / "_static" / "rivals"
    target.mkdir(parents=True, exist_ok=True)
    for figure in read_folder(STUDY).figures:
        drawing = draw(figure, results)
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
    written = {"trials": _trials(results), "time": _time(results), "gave up": _gave_up(results)}
    for name, study, metric in PARTS:
        rows = against(results.table, results.study(study), metric)
        written[f"ahead by {name}"] = _ahead(rows, metric)
    return written


def _trials(results: Results) -> str:
    counts = results.table.group_by("study").agg(pl.col("trial").n_unique()).sort("study")
    listed = ", ".join(f"{trials} of `{study}`" for study, trials in counts.iter_rows())
    return f"The numbers below are of this many trials per setting: {listed}."


def _ahead(rows: Sequence[Against], metric: str) -> str:
    by_setting = ahead(rows)
    leading = [row for found in by_setting.values() for row in found]
    clear = sum(row.is_clear for row in leading)
    said = (
        f"Of {len(rows)} comparisons, another method is ahead of the proposed one in {len(leading)}, clearly "
        f"in {clear}. All of them, those that are clear in bold:"
    )
    listed = [
        (setting, "; ".join(_lead(row, metric) for row in found) or "none")
        for setting, found in by_setting.items()
    ]
    return f"{said}\n\n{table(('Setting', 'Ahead of the proposed method, by'), listed)}"


def _lead(row: Against, metric: str) -> str:
    unit = " points" if metric in POINTS else "%"
    label = find_method(row.method).label
    text = f"{label}: {abs(row.difference):.1f}{unit} ± {row.difference_error:.1f}"
    return f"**{text}**" if row.is_clear else text


def _time(results: Results) -> str:
    study = results.study("rivals-time")
    taken, settings = seconds(results.table, study), results.settings(study.name)
    rows = [
        (
            find_method(method).label,
            *(_seconds(taken.get((setting, method))) for setting in settings),
        )
        for method in study.methods
    ]
    return table(("Method", *(setting.rpartition(" = ")[2] for setting in settings)), rows)


def _seconds(taken: float | None) -> str:
    if taken is None:
        return f"gave{NO_BREAK}up"
    return f"<{NO_BREAK}0.01" if taken < 0.01 else f"{taken:.2f}" if taken < 1.0 else f"{taken:.1f}"


def _gave_up(results: Results) -> str:
    lines = []
    for name in ("rivals-reviews", "rivals-papers", "rivals-iclr"):
        for (setting, method), count in gave_up(results.table, results.study(name)).items():
            trials = results.table.filter(
                (pl.col("study") == name)
                & (pl.col("setting") == setting)
                & (pl.col("method") == OURS)
            )["trial"].n_unique()
            lines.append(
                f"- {find_method(method).label}, {name}, {setting}: {count} of {trials} trials"
            )
    return "\n".join(lines) or "No method gave up in these trials."


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
