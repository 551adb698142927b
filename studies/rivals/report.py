"""Results -> the report's part on rivals: where each is ahead of ours, and what each takes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from unround.lab.pages import document as doc
from unround.lab.registry import find_method, find_metric, section
from unround.lab.results import Results
from unround.lab.study import Study

from .comparison import (
    OURS,
    POINTS,
    Against,
    against,
    ahead,
    gave_up,
    seconds,
)

PREFIX = "rivals-"
AHEAD = (
    "All methods that were ahead of the proposed one, λ by quantization validation, in each setting: in "
    "percent of its mean error, or in points of papers missed, ± standard error over paired trials. "
    "Differences above twice their standard error are called clear. Of the methods named, auto+, the "
    "posterior and calibration are unround's too."
)
TIME = (
    "Process time in seconds from tables to scores, all threads together, after a first small conference so "
    "that compiling is not counted. A method gives up after {limit:g} seconds."
)


@section("rivals")
def rival_blocks(results: Results) -> Iterator[doc.Block]:
    """Return where rivals are ahead, and times, of every study of rivals."""
    studies = [study for study in results.studies if study.name.startswith(PREFIX)]
    compared = [study for study in studies if study.metrics and OURS in study.methods]
    if any(results.settings(study.name) for study in compared):
        yield doc.Heading("Where rivals are ahead")
        yield doc.Text(AHEAD)
        for study in compared:
            for metric in study.metrics:
                if not metric.startswith("ties"):
                    yield from ahead_blocks(study, metric, against(results.table, study, metric))
            yield from gave_up_text(study, gave_up(results.table, study))
    for study in studies:
        if study.limit is not None and not study.metrics and results.settings(study.name):
            yield doc.Heading(study.title)
            yield doc.Text(TIME.format(limit=study.limit))
            yield time_grid(study, results)


def ahead_blocks(study: Study, metric: str, rows: Sequence[Against]) -> Iterator[doc.Block]:
    """Say how often rivals are ahead, and list them by setting."""
    by_setting = ahead(rows)
    leading = [row for found in by_setting.values() for row in found]
    clear = sum(row.is_clear for row in leading)
    label = find_metric(metric).label
    yield doc.Text(
        f"{study.title}, {label}: of {len(rows)} comparisons with the proposed method, a rival is ahead in "
        f"{len(leading)}, {_clearly(rows, clear)}.",
        doc.FAIR if clear else doc.GOOD,
    )
    cells = [(setting, _listed(found, metric)) for setting, found in by_setting.items()]
    yield doc.Grid(f"{study.title}: {label}", ("Setting", "Ahead of the proposed method"), cells)


def _clearly(rows: Sequence[Against], clear: int) -> str:
    """Say in how many a rival is clearly ahead, where there are trials enough to tell."""
    if rows and all(row.trials == 1 for row in rows):
        return "and one trial cannot tell whether by chance"
    return f"clearly in {clear}"


def _listed(rows: Sequence[Against], metric: str) -> str:
    if not rows:
        return "none"
    return "; ".join(_ahead_by(row, metric) for row in rows)


def _ahead_by(row: Against, metric: str) -> str:
    unit = " points" if metric in POINTS else "%"
    spread = "" if math.isnan(row.difference_error) else f" ± {row.difference_error:.1f}"
    clear = " (clear)" if row.is_clear else ""
    return f"{find_method(row.method).label} {row.difference:+.1f}{unit}{spread}{clear}"


def gave_up_text(study: Study, counts: dict[tuple[str, str], int]) -> Iterator[doc.Text]:
    """Say which methods had no result, and in how many trials."""
    if counts:
        listed = "; ".join(
            f"{find_method(method).label}, {setting}: {count}"
            for (setting, method), count in counts.items()
        )
        yield doc.Text(
            f"Trials without a result, for a method gave up after {study.limit or 0:g} seconds or its chains "
            f"did not mix: {listed}.",
            doc.FAIR,
        )


def time_grid(study: Study, results: Results) -> doc.Grid:
    """Tabulate process times: methods down, sizes across."""
    taken, settings = seconds(results.table, study), results.settings(study.name)
    rows: list[tuple[str | doc.Text, ...]] = [
        (find_method(method).label, *(_time(taken.get((s, method)), study) for s in settings))
        for method in study.methods
    ]
    return doc.Grid("Seconds of process time", ("Method", *settings), rows)


def _time(taken: float | None, study: Study) -> doc.Text:
    if taken is None:
        return doc.Text(f"gave up (> {study.limit:g})", doc.BAD)
    return doc.Text(f"{taken:.3f}" if taken < 1.0 else f"{taken:.1f}")
