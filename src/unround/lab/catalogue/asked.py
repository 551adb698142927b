"""Conferences whose reviewers slip, and are asked about what contradicts before it is too late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.ballots.content import Content, PaperToRank, pairs_of_groups
from unround.ballots.statements import find_contradictions
from unround.lab.catalogue.unruly import unruly
from unround.lab.registry import data
from unround.lab.trials.case import Sample
from unround.simulate import Conference

FARTHEST = 2  # levels by which a slipped score is off


@data("asked")
def asked(
    trial: int,
    *,
    papers: int = 60,
    reviews_per_paper: int = 4,
    papers_per_reviewer: int = 4,
    noise: float = 0.5,
    swapped: float = 0.0,
    slipped: float = 0.0,
    mended: float = 0.0,
    scale: Sequence[Any] | None = None,
) -> Sample:
    """Thurstone's model with slips, of which some are mended when the reviewer is asked.

    swapped  probability that two neighbours in a ranking change places
    slipped  probability that a score is one or two levels off
    mended   share of contradictions about which the reviewer is asked, and which they then mend: where
             the order is wrong, both papers are put where they belong; where it is right, wrong
             scores are put right
    """
    sample = unruly(
        trial,
        papers=papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=noise,
        swapped=swapped,
        scale=scale,
    )
    random = np.random.default_rng([trial, 1])
    drawn = sample.conference
    right = np.searchsorted(drawn.scale.values, drawn.scale.nearest(drawn.truth))
    level = _slipped(right, len(drawn.scale.levels), slipped, random)
    rank = drawn.rankings["rank"].to_numpy().copy()
    for rows in _rows_by_reviewer(drawn.reviews):
        _mend(rows, right, level, rank, drawn.truth, mended, random)
    return Sample(_with(drawn, level, rank), seed=trial, quality=sample.quality)


def _slipped(right: IntArray, levels: int, slipped: float, random: np.random.Generator) -> IntArray:
    """Return levels of which some are off by one or two, to either side."""
    off = random.integers(1, FARTHEST + 1, right.size) * random.choice((-1, 1), right.size)
    level = np.where(random.random(right.size) < slipped, right + off, right)
    kept: IntArray = np.clip(level, 0, levels - 1)
    return kept


def _rows_by_reviewer(reviews: pl.DataFrame) -> list[IntArray]:
    reviewer = reviews["reviewer"].to_numpy()
    order = np.argsort(reviewer, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(reviewer[order])) + 1)


def _mend(
    rows: IntArray,
    right: IntArray,
    level: IntArray,
    rank: IntArray,
    truth: FloatArray,
    mended: float,
    random: np.random.Generator,
) -> None:
    """Ask one reviewer about their contradictions, and change level and rank as they answer.

    Every contradiction is drawn for, asked or not, so that a larger share mends what a smaller one does.
    """
    papers = [PaperToRank(str(row), score=int(level[row]), level=int(level[row])) for row in rows]
    order = sorted(rows.tolist(), key=lambda row: rank[row])
    content = Content(groups=tuple((str(row),) for row in order))
    found = find_contradictions(content, papers, pairs_of_groups(content.groups))
    for one, chance in zip(found, random.random(len(found)), strict=True):
        pair = int(one.above), int(one.below)
        if chance >= mended:
            continue
        if truth[pair[0]] > truth[pair[1]]:
            level[list(pair)] = right[list(pair)]
        else:
            order = _placed_anew(order, pair, truth)
    rank[order] = np.arange(1, len(order) + 1)


def _placed_anew(order: list[int], pair: tuple[int, int], truth: FloatArray) -> list[int]:
    """Put two papers where the reviewer thinks they belong: each above the first that is worse."""
    order = [row for row in order if row not in pair]
    for row in sorted(pair, key=lambda row: truth[row]):
        worse = (place for place, other in enumerate(order) if truth[other] < truth[row])
        order.insert(next(worse, len(order)), row)
    return order


def _with(drawn: Conference, level: IntArray, rank: IntArray) -> Conference:
    """Return the conference with these levels and ranks; every review is ranked."""
    scores = np.array(drawn.scale.levels)[level]
    reviews = drawn.reviews.with_columns(pl.Series("score", scores))
    return Conference(reviews, drawn.rankings.with_columns(rank=rank), drawn.truth, drawn.scale)
