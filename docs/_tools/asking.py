"""Write the numbers and the picture of docs/collecting-rankings.md from a finished study.

    unround reproduce studies/asking --trials N -o ballots
    python docs/_tools/asking.py ballots

Only the part between the two marks is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
from PIL import Image

from unround import check
from unround.issues import Kind
from unround.lab.plan import read_folder
from unround.lab.registry import load_file
from unround.lab.study import Study

DOCS = Path(__file__).parents[1]
STUDY = DOCS.parent / "studies" / "asking"
with_questions = load_file(STUDY / "__init__.py").with_questions
PAGE, PICTURE = DOCS / "collecting-rankings.md", DOCS / "_static" / "asking.png"
FIRST = "<!-- written by docs/_tools/asking.py -->"
LAST = "<!-- end of what docs/_tools/asking.py writes -->"
METHODS = ("quantized", "proposed", "rankings-rule")
SHARES = (0.0, 0.5, 1.0)  # of contradictions mended; the picture has those between
COLOURS = 64
DRAWN = 20  # conferences in which contradicting reviewers are counted


def main(folder: Path) -> None:
    """Write the picture and the table."""
    page = PAGE.read_text("utf-8")
    above, _, rest = page.partition(FIRST)
    _, _, below = rest.partition(LAST)
    lines = [*_trials(folder), *_header()]
    for study in read_folder(STUDY).studies:
        lines += _rows(study, pl.read_parquet(folder / "tables" / f"{study.name}.parquet"))
    text = "\n".join(lines)
    PAGE.write_text(f"{above}{FIRST}\n\n{text}\n\n{LAST}{below}", "utf-8")
    with Image.open(folder / "figures" / "asking.png") as picture:
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS).save(PICTURE)


def _trials(folder: Path) -> list[str]:
    study = read_folder(STUDY).studies[0]
    count = pl.read_parquet(folder / "tables" / f"{study.name}.parquet")["trial"].n_unique()
    command = f"unround reproduce studies/asking --trials {count} -o ballots"
    return [f"Means of {count} trials per setting (`{command}`), ± standard error:", ""]


def _header() -> list[str]:
    titles = ("Slips", "Mended", "Contradict", "Given", "Trust the scores", "Trust the rankings")
    return [f"| {' | '.join(titles)} |", "| --- | ---: | ---: | ---: | ---: | ---: |"]


def _rows(study: Study, table: pl.DataFrame) -> list[str]:
    slips = study.title.partition(": ")[2].removeprefix("slips ")
    errors = table.filter(pl.col("metric") == "kendall")
    means = errors.group_by("setting", "method").agg(
        pl.col("value").mean().alias("mean"),
        (pl.col("value").std() / pl.len().sqrt()).alias("error"),
    )
    cells = {(row[0], row[1]): f"{row[2]:.4f} ± {row[3]:.4f}" for row in means.iter_rows()}
    settings = {share: f"mended = {share:g}" for share in SHARES}
    return [
        f"| {slips} | {share:.0%} | {_contradicting(study, share):.0%} "
        + "".join(f"| {cells[setting, method]} " for method in METHODS)
        + "|"
        for share, setting in settings.items()
    ]


def _contradicting(study: Study, share: float) -> float:
    """Return the share of reviewers who contradict themselves once `share` of the cases is mended."""
    slips = {name: study.fixed[name] for name in ("swapped", "slipped") if name in study.fixed}
    count = people = 0
    for trial in range(DRAWN):
        drawn = with_questions(trial, mended=share, **slips).conference
        issues = check(drawn.reviews, drawn.rankings, scale=drawn.scale)
        count += len({one.reviewer for one in issues if one.kind is Kind.CONTRADICTION})
        people += drawn.reviews["reviewer"].n_unique()
    return count / people


if __name__ == "__main__":
    main(Path(sys.argv[1]))
