"""Parquet -> scores on a GPU -> Parquet, piece by piece: the host holds one piece of the rows at a time.

For clean tables of any size: ids that are whole numbers, scores on the scale, no empty cell, rankings that
agree with their scores. Whatever else there may be is for `unround run` to find and to settle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unround.card.ids import FREE, number_ids, place_values
from unround.card.launch import CardArray, cuda, for_each, memory_free
from unround.card.moves import put
from unround.errors import UsageError
from unround.formats.files.atomic import whole_folder
from unround.progress import StageProgress
from unround.reviews.told import tell_scale
from unround.runs.bulk_record import bulk_record
from unround.runs.record import record_text
from unround.scale import Scale
from unround.selection.curve import Curve
from unround.selection.on_card import CardScores, choose_on_card, dequantize_on_card
from unround.selection.summaries import percentiles_on_card, statistics_on_card
from unround.settings import AUTO, EPSILON, LambdaChoice
from unround.solver.gpu.conference import CardConference, group
from unround.solver.gpu.engine import check_memory
from unround.solver.gpu.layout import MOST_REVIEWS

PIECE = 1 << 22  # rows
MOST_RANK = 255
# Ids and the table that numbers them, then what the solve and its certificate take.
BYTES_PER_REVIEW = 120
RECORD = "bulk.json"
STATISTICS = ("reviews", "min", "max", "mean", "median", "spread")


@dataclass(frozen=True)
class BulkOptions:
    """What the user chose."""

    scale: Scale | None = None  # None: told from the scores
    lam: float | LambdaChoice = AUTO
    epsilon: float = EPSILON
    tolerance: float = 1e-9
    by_community: bool = False


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
                    f"{self.columns[name]}: number its values first, or use unround run"
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


class _Sent(NamedTuple):
    """The reviews on the card."""

    conference: CardConference
    row: CardArray  # of each review of the conference
    paper: CardArray  # of each row
    paper_id: CardArray  # of each paper
    reviewers: int


def run_bulk(
    path: Path, folder: Path, options: BulkOptions, tell: StageProgress, *, force: bool = False
) -> dict[str, Any]:
    """Read, score, certify and write; return the record of the run. All files are there, or none."""
    source = BulkInput(path)
    check_memory(float(BYTES_PER_REVIEW * source.rows), memory_free())
    with whole_folder(folder, force=force, mark=RECORD) as draft:
        tell("reading", 0, 2)
        scale = _scale(source, options.scale)
        sent = _sent(source, scale, tell)
        curve = _curve(sent.conference, scale, options, tell)
        tell("solving", 0, 2)
        found = dequantize_on_card(
            sent.conference, scale, lam=float(options.lam) if curve is None else curve.best,
            epsilon=options.epsilon, tolerance=options.tolerance, by_community=options.by_community,
        )  # fmt: skip
        _check_proven(found, options.tolerance * scale.spacing)
        tell("solving", 1, 2)
        _write(source, sent, found, draft, tell)
        counts = (source.rows, sent.conference.papers, sent.reviewers)
        record = bulk_record(options.epsilon, scale, found, curve, counts)
        (draft / RECORD).write_text(record_text(record), encoding="utf-8")
    return record


def _sent(source: BulkInput, scale: Scale, tell: StageProgress) -> _Sent:
    """Send the columns to the card and number the ids there."""
    reviewer_ids, paper_ids = _ids(source, "reviewer"), _ids(source, "paper")
    level, worth = _levels(source, scale), _worths(source)
    tell("reading", 1, 2)
    reviewer, reviewers = number_ids(reviewer_ids)
    paper, papers = number_ids(paper_ids)
    named = cuda.device_array(papers, dtype=np.int64)
    for_each(put, paper.size, paper, paper_ids, named)
    del reviewer_ids, paper_ids
    conference, row = group(reviewer, reviewers, paper, papers, level, worth)
    tell("reading", 2, 2)
    return _Sent(conference, row, paper, named, reviewers)


def _write(
    source: BulkInput, sent: _Sent, found: CardScores, draft: Path, tell: StageProgress
) -> None:
    scores = cuda.device_array(source.rows, dtype=np.float64)
    for_each(put, source.rows, sent.row, found.scores, scores)
    percentile = percentiles_on_card(scores)
    statistics = statistics_on_card(sent.paper, sent.conference.papers, scores)
    tell("solving", 2, 2)
    _write_reviews(source, draft / "scores", scores, percentile, tell)
    columns = dict(zip(STATISTICS, statistics, strict=True))
    _write_papers(draft / "papers", {"paper": sent.paper_id, **columns})


def _scale(source: BulkInput, stated: Scale | None) -> Scale:
    scale, doubt = stated, None
    if scale is None:
        usage = source.usage()
        if usage["score"].null_count():
            raise UsageError(f"some scores of {source.path.name} are empty: every review needs one")
        scale, doubt = tell_scale(
            usage["score"].cast(pl.Float64).to_numpy(), usage["len"].cast(pl.Int64).to_numpy()
        )
    if scale is None or doubt is not None:
        why = "" if doubt is None else f": {doubt.sentence}"
        raise UsageError(f"the scale cannot be told from the scores{why}; state it with --scale")
    if not scale.is_numeric or scale.is_reversed or len(scale.levels) > MOST_RANK:
        raise UsageError(f"levels must be ascending numbers, at most {MOST_RANK}: not {scale}")
    return scale


def _ids(source: BulkInput, name: str) -> CardArray:
    ids = cuda.device_array(source.rows, dtype=np.int64)
    for first, last in source.pieces():
        piece = source.read(first, last, name)[name].cast(pl.Int64).to_numpy()
        if piece.min() == FREE:
            raise UsageError(f"{FREE} cannot be an id: number the column {name} otherwise")
        ids[first:last].copy_to_device(np.ascontiguousarray(piece))
    return ids


def _levels(source: BulkInput, scale: Scale) -> CardArray:
    """Send the position of every score on the scale."""
    level = cuda.device_array(source.rows, dtype=np.uint8)
    known = cuda.to_device(scale.values)
    for first, last in source.pieces():
        scores = source.read(first, last, "score")["score"].cast(pl.Float64).to_numpy()
        sent = cuda.to_device(np.ascontiguousarray(scores))
        wrong = place_values(sent, known, level[first:last])
        if wrong is not None:
            raise UsageError(
                f"row {first + wrong + 1} of {source.path.name} has the score {scores[wrong]:g}, which is no "
                f"level of the scale {scale.text}"
            )
    return level


def _worths(source: BulkInput) -> CardArray:
    """Send how good every rank is; without ranks all are alike."""
    worth = cuda.device_array(source.rows, dtype=np.uint8)
    for first, last in source.pieces():
        ranks = np.full(last - first, MOST_RANK)
        if "rank" in source.columns:
            ranks = source.read(first, last, "rank")["rank"].cast(pl.Int64).to_numpy()
        if ranks.min() < 1 or ranks.max() > MOST_RANK:
            raise UsageError(
                f"ranks of {source.path.name} go from {ranks.min()} to {ranks.max()}; from 1 (best) to "
                f"{MOST_RANK} can be used here"
            )
        worth[first:last].copy_to_device((MOST_RANK - ranks).astype(np.uint8))
    return worth


def _curve(
    conference: CardConference, scale: Scale, options: BulkOptions, tell: StageProgress
) -> Curve | None:
    tell("validating", 0, 1)
    curve = choose_on_card(options.lam, conference, scale, options.epsilon, options.tolerance)
    tell("validating", 1, 1)
    return curve


def _check_proven(found: CardScores, wanted: float) -> None:
    proven = np.inf if found.certificate is None else found.certificate.max_error
    if not proven <= wanted:
        raise UsageError(
            f"rounding allows a bound of {proven:.1e} and {wanted:.1e} is asked for: choose a larger "
            "tolerance or a larger lam"
        )


def _write_reviews(
    source: BulkInput, folder: Path, scores: CardArray, percentile: CardArray, tell: StageProgress
) -> None:
    """Write every review with its new score and percentile, in the order of the input."""
    folder.mkdir()
    for number, (first, last) in enumerate(source.pieces()):
        tell("saving", first, source.rows)
        source.read(first, last, "reviewer", "paper", "score").with_columns(
            dequantized=pl.Series(scores[first:last].copy_to_host()),
            percentile=pl.Series(percentile[first:last].copy_to_host()),
        ).write_parquet(folder / f"part-{number:05}.parquet", compression="lz4")
    tell("saving", source.rows, source.rows)


def _write_papers(folder: Path, columns: dict[str, CardArray]) -> None:
    """Write the statistics of every paper, in the order in which papers first appear."""
    folder.mkdir()
    papers = int(columns["paper"].size)
    for number, first in enumerate(range(0, papers, PIECE)):
        last = min(first + PIECE, papers)
        piece = {name: values[first:last].copy_to_host() for name, values in columns.items()}
        pl.DataFrame(piece).write_parquet(folder / f"part-{number:05}.parquet", compression="lz4")
