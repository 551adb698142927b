"""Parquet -> scores on a GPU -> Parquet, piece by piece: the host holds one piece of the rows at a time.

For clean tables of any size: ids that are whole numbers, scores on the scale, no empty cell, rankings that
agree with their scores. Anything else is for `unround run` to find and settle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unround.errors import UsageError
from unround.gpu.conference import GpuConference, group_by_reviewer
from unround.gpu.dequantize import GpuScores, check_choice, dequantize_on_gpu
from unround.gpu.launch import GpuArray, memory_free, to_host, xp
from unround.gpu.layout import MOST_REVIEWS
from unround.gpu.metrics import paper_statistics, percentiles
from unround.gpu.solver import check_memory
from unround.output.atomic import whole_folder
from unround.progress import StageProgress
from unround.reviews.infer_scale import infer_scale
from unround.runs.record import curve_record, number_or_word, record_text, versions
from unround.scale import Scale
from unround.settings import Settings
from unround.wording import option

PIECE = 1 << 22  # rows
MOST_RANK = 255
# On the GPU: first ids and what numbering and sorting them takes, later what solving and proving take.
BYTES_PER_REVIEW = 120
RECORD = "bulk.json"


class BulkInput:
    """The columns of a Parquet file, read in pieces."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._rows = pl.scan_parquet(path)
            self.columns = dict(pl.read_parquet_schema(path))
            self.rows = int(self._rows.select(pl.len()).collect().item())
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            reason = str(error).split("\n", 1)[0][:200]
            raise UsageError(f"{path} is not a readable Parquet file: {reason}") from error
        self._check()

    def _check(self) -> None:
        for name in ("reviewer", "paper", "score"):
            if name not in self.columns:
                raise UsageError(f"{self.path.name} has no column {name}: rename its columns first")
        for name in ("reviewer", "paper", "rank"):
            if name in self.columns and not self.columns[name].is_integer():
                raise UsageError(
                    f"the column {name} of {self.path.name} must hold whole numbers, not "
                    f"{self.columns[name]}: number its values first, or use `unround run`"
                )
        if not self.columns["score"].is_numeric():
            raise UsageError(f"the column score of {self.path.name} must hold numbers")
        if not 0 < self.rows <= MOST_REVIEWS:
            raise UsageError(
                f"{self.path.name} has {self.rows} rows; from 1 to {MOST_REVIEWS} can be scored at once"
            )

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Yield where each piece of the rows starts and ends."""
        for first in range(0, self.rows, PIECE):
            yield first, min(first + PIECE, self.rows)

    def read(self, first: int, last: int, *names: str) -> pl.DataFrame:
        """Read some columns of one piece. Raise UsageError for empty cells."""
        piece = self._rows.select(names).slice(first, last - first).collect()
        for name in names:
            if empty := piece[name].null_count():
                raise UsageError(
                    f"{empty} cells of the column {name} of {self.path.name} are empty (rows {first + 1} to "
                    f"{last}): every review needs one"
                )
        return piece

    def usage(self) -> pl.DataFrame:
        """Return the distinct scores, ascending, and how often each was given."""
        return self._rows.group_by("score").len().sort("score").collect(engine="streaming")


class _GpuReviews(NamedTuple):
    """The reviews on the GPU."""

    conference: GpuConference
    row: GpuArray  # of each review of the conference
    paper: GpuArray  # of each row
    paper_id: GpuArray  # of each paper
    reviewers: int


def run_bulk(
    path: Path, folder: Path, settings: Settings, progress: StageProgress, *, force: bool = False
) -> dict[str, Any]:
    """Read, score, certify and write all files or none; return the record of the run."""
    check_choice(settings.lam)
    source = BulkInput(path)
    check_memory(float(BYTES_PER_REVIEW * source.rows), memory_free())
    with whole_folder(folder, force=force) as draft:
        progress("reading", 0, 2)
        scale = _scale(source, settings.scale)
        reviews = _send_reviews(source, scale, progress)
        progress("solving", 0, 2)
        found = dequantize_on_gpu(
            reviews.conference, scale, lam=settings.lam,
            epsilon=settings.epsilon, tolerance=settings.tolerance,
        )  # fmt: skip
        _check_proven(found, settings.tolerance * scale.spacing)
        progress("solving", 1, 2)
        _write(source, reviews, found, scale.spacing, draft, progress)
        counts = (source.rows, reviews.conference.papers, reviews.reviewers)
        record = _record(settings.epsilon, scale, found, counts)
        (draft / RECORD).write_text(record_text(record), encoding="utf-8")
    return record


def _send_reviews(source: BulkInput, scale: Scale, progress: StageProgress) -> _GpuReviews:
    """Send the columns to the GPU and number the ids there, both in ascending order."""
    reviewer_ids, paper_ids = _ids(source, "reviewer"), _ids(source, "paper")
    level, worth = _levels(source, scale), _worths(source)
    progress("reading", 1, 2)
    named, reviewer = xp.unique(reviewer_ids, return_inverse=True)
    reviewer, reviewers = reviewer.astype(xp.int32), int(named.size)
    named, paper = xp.unique(paper_ids, return_inverse=True)
    paper = paper.astype(xp.int32)
    del reviewer_ids, paper_ids
    conference, row = group_by_reviewer(reviewer, reviewers, paper, int(named.size), level, worth)
    progress("reading", 2, 2)
    return _GpuReviews(conference, row, paper, named, reviewers)


def _write(
    source: BulkInput,
    reviews: _GpuReviews,
    found: GpuScores,
    spacing: float,
    draft: Path,
    progress: StageProgress,
) -> None:
    scores = xp.empty(source.rows)
    scores[reviews.row] = found.scores
    percentile = percentiles(scores, spacing)
    statistics = paper_statistics(reviews.paper, reviews.conference.papers, scores)
    progress("solving", 2, 2)
    _write_reviews(source, draft / "scores", scores, percentile, progress)
    _write_papers(draft / "papers", {"paper": reviews.paper_id, **statistics})


def _scale(source: BulkInput, stated: Scale | None) -> Scale:
    scale, doubt = stated, None
    if scale is None:
        usage = source.usage()
        if usage["score"].null_count():
            raise UsageError(f"some scores of {source.path.name} are empty: every review needs one")
        scale, doubt = infer_scale(
            usage["score"].cast(pl.Float64).to_numpy(), usage["len"].cast(pl.Int64).to_numpy()
        )
    if scale is None or doubt is not None:
        why = "" if doubt is None else f": {doubt.sentence}"
        raise UsageError(
            f"the scale cannot be inferred from the scores{why}; state it with {option('scale')}"
        )
    if not scale.is_numeric or scale.is_reversed or len(scale.levels) > MOST_RANK:
        raise UsageError(f"levels must be ascending numbers, at most {MOST_RANK}: not {scale}")
    return scale


def _ids(source: BulkInput, name: str) -> GpuArray:
    ids = xp.empty(source.rows, dtype=xp.int64)
    for first, last in source.pieces():
        piece = source.read(first, last, name)[name].cast(pl.Int64).to_numpy()
        ids[first:last] = xp.asarray(piece)
    return ids


def _levels(source: BulkInput, scale: Scale) -> GpuArray:
    """Send the position of every score on the scale."""
    level, values = xp.empty(source.rows, dtype=xp.uint8), xp.asarray(scale.values)
    for first, last in source.pieces():
        scores = source.read(first, last, "score")["score"].cast(pl.Float64).to_numpy()
        on_gpu = xp.asarray(scores)
        place = xp.minimum(xp.searchsorted(values, on_gpu), values.size - 1)
        wrong = values[place] != on_gpu
        if wrong.any():
            row = int(wrong.argmax())
            raise UsageError(
                f"row {first + row + 1} of {source.path.name} has the score {scores[row]:g}, not a "
                f"level of the scale {scale.text}"
            )
        level[first:last] = place
    return level


def _worths(source: BulkInput) -> GpuArray:
    """Send how good every rank is; without ranks all are equal."""
    worth = xp.empty(source.rows, dtype=xp.uint8)
    for first, last in source.pieces():
        ranks = np.full(last - first, MOST_RANK)
        if "rank" in source.columns:
            ranks = source.read(first, last, "rank")["rank"].cast(pl.Int64).to_numpy()
        if ranks.min() < 1 or ranks.max() > MOST_RANK:
            raise UsageError(
                f"ranks of {source.path.name} go from {ranks.min()} to {ranks.max()}; from 1 (best) to "
                f"{MOST_RANK} can be used here"
            )
        worth[first:last] = xp.asarray((MOST_RANK - ranks).astype(np.uint8))
    return worth


def _check_proven(found: GpuScores, wanted: float) -> None:
    proven = np.inf if found.certificate is None else found.certificate.max_error
    if not proven <= wanted:
        raise UsageError(
            f"the proven bound is {proven:.1e}, above the tolerance of {wanted:.1e}: choose a larger "
            f"{option('tolerance')} or {option('lam')}"
        )


def _write_reviews(
    source: BulkInput, folder: Path, scores: GpuArray, percentile: GpuArray, progress: StageProgress
) -> None:
    """Write every review with its new score and percentile, in the order of the input."""
    folder.mkdir()
    for number, (first, last) in enumerate(source.pieces()):
        progress("saving", first, source.rows)
        source.read(first, last, "reviewer", "paper", "score").with_columns(
            dequantized=pl.Series(to_host(scores[first:last])),
            percentile=pl.Series(to_host(percentile[first:last])),
        ).write_parquet(folder / f"part-{number:05}.parquet", compression="lz4")
    progress("saving", source.rows, source.rows)


def _write_papers(folder: Path, columns: dict[str, GpuArray]) -> None:
    """Write the statistics of every paper, in the order of their ids."""
    folder.mkdir()
    papers = int(columns["paper"].size)
    for number, first in enumerate(range(0, papers, PIECE)):
        last = min(first + PIECE, papers)
        piece = {name: to_host(values[first:last]) for name, values in columns.items()}
        pl.DataFrame(piece).write_parquet(folder / f"part-{number:05}.parquet", compression="lz4")


def _record(
    epsilon: float, scale: Scale, found: GpuScores, counts: tuple[int, int, int]
) -> dict[str, Any]:
    """Return everything needed to repeat and to judge the run: no clock and no path is in it."""
    return {
        "settings": {
            "lam": number_or_word(found.lam) if found.curve is None else found.curve.chosen_by,
            "epsilon": epsilon,
            "scale": list(scale.levels),
        },
        "lam": number_or_word(found.lam),
        "selection": curve_record(found.curve),
        "certificate": None if found.certificate is None else asdict(found.certificate),
        "counts": dict(zip(("reviews", "papers", "reviewers"), counts, strict=True)),
        "versions": versions(),
    }
