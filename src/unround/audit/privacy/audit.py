"""unround audit privacy: a run and its area chairs -> what each disclosure level gives away for sure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unround.audit.inputs import PathLike, sample_of, snapshot_of
from unround.audit.privacy.attack import PRECISION, deduce_hidden_reviews, implied_scores
from unround.disclosure.area_chairs import AreaChair, area_chairs_of_run
from unround.disclosure.model import View
from unround.disclosure.scope import DISCLOSURES, Disclosure, Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.progress import StageProgress, open_progress
from unround.result import Result
from unround.settings import checked_path

SEED = 9


@dataclass(frozen=True)
class LevelLeaks:
    """What the pages of area chairs give away for sure at one level, all pages together."""

    disclosure: Disclosure
    neighbours: int  # hidden papers next to one in view in a ranking
    certain: int  # of their scores, those that can be worked out, from digits or from the order
    means: int  # of hidden papers, computed

    @property
    def certain_share(self) -> float:
        """The share of the neighbours' scores that can be worked out, in per cent."""
        return 100.0 * self.certain / self.neighbours if self.neighbours else 0.0


@dataclass(frozen=True)
class PrivacyFindings:
    """What the privacy audit of a run found."""

    levels: tuple[LevelLeaks, ...]
    area_chairs: int
    audited: int  # how many of their pages were attacked
    strangers: int  # papers of the table of area chairs that the run does not have


def audit_privacy(
    run: Result | Snapshot | PathLike,
    areachairs: PathLike | Sequence[AreaChair] | None = None,
    *,
    stars: bool = True,
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> PrivacyFindings:
    """Measure what the pages of area chairs reveal for sure about papers that are not theirs.

    Parameters
    ----------
    run : Result or path
        The result, or its folder.
    areachairs : path, optional
        A table of papers and their area chairs. None: those that the run's files name.
    stars : bool
        Whether pages show other papers in rankings, as stars.
    sample : int, optional
        How many area chairs' pages are attacked, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    snapshot, size = snapshot_of(run), sample_of(sample)
    chairs, strangers = _area_chairs(snapshot, areachairs)
    attacked, truth = sampled(chairs, size), Truth(snapshot)
    leaks = {level: np.zeros(3, dtype=np.int64) for level in DISCLOSURES}
    with open_progress(progress) as report:
        for done, chair in enumerate(attacked, start=1):
            report("attacking pages", done, len(attacked))
            for level in DISCLOSURES:
                leaks[level] += truth.leaks(chair, truth.page(chair, level, stars=stars))
    levels = tuple(LevelLeaks(level, *leaks[level].tolist()) for level in DISCLOSURES)
    return PrivacyFindings(levels, len(chairs), len(attacked), strangers)


def _area_chairs(
    snapshot: Snapshot, given: PathLike | Sequence[AreaChair] | None
) -> tuple[list[AreaChair], int]:
    if given is None or isinstance(given, str | os.PathLike):
        table = None if given is None else checked_path("areachairs", given)
        return area_chairs_of_run(snapshot.papers, table)
    return list(given), 0


def sampled(chairs: Sequence[AreaChair], sample: int | None) -> list[AreaChair]:
    """Return the area chairs whose pages are attacked."""
    if sample is None or sample >= len(chairs):
        return list(chairs)
    numbers = np.random.default_rng(SEED).choice(len(chairs), sample, replace=False)
    return [chairs[number] for number in sorted(numbers.tolist())]


class Truth:
    """What a run holds of every review, to judge claims about hidden ones by."""

    def __init__(self, snapshot: Snapshot) -> None:
        named = snapshot.reviews.with_columns(reviewer_name=pl.lit(None, pl.String))
        self._snapshot = replace(snapshot, reviews=named)
        self._reviews = (
            snapshot.reviews.select("reviewer", "paper", "value", "dequantized")
            .with_columns(mean=pl.col("dequantized").mean().over("paper"))
            .join(snapshot.ranks, on=["reviewer", "paper"], how="left")
            .with_columns(pl.col("reviewer", "paper").cast(pl.String))
        )

    def page(self, chair: AreaChair, disclosure: Disclosure, *, stars: bool) -> View:
        """Return an area chair's page with ids in place of pseudonyms."""
        scope = Scope(chair.name, chair.papers, stars=stars, names=True, disclosure=disclosure)
        return view(self._snapshot, scope)

    def leaks(self, chair: AreaChair, page: View) -> tuple[int, int, int]:
        """Attack a page; return the hidden neighbours, the scores that are certain, and the means."""
        beside, computed = self.beside(chair), self._computed(chair, page)
        scores = computed.select("reviewer", "paper").n_unique()
        means = computed.filter((pl.col("mean") - pl.col("claimed")).abs() < PRECISION)
        implied = self._implied(page, beside.filter(pl.col("value") == pl.col("value_hidden")))
        neighbours = beside.select("reviewer", "paper_hidden").n_unique()
        return neighbours, max(scores, implied), means["paper"].n_unique()

    def beside(self, chair: AreaChair) -> pl.DataFrame:
        """Return the hidden reviews just above or below one in view, in columns that end with `_hidden`."""
        inside = pl.col("paper").is_in(sorted(chair.papers))
        mine, hidden = self._reviews.filter(inside), self._reviews.filter(~inside)
        sides = [mine.with_columns(pl.col("rank") + one, above=pl.lit(one < 0)) for one in (-1, 1)]
        return pl.concat(sides).join(hidden, on=["reviewer", "rank"], suffix="_hidden")

    def _computed(self, chair: AreaChair, page: View) -> pl.DataFrame:
        """Return the hidden reviews whose scores can be computed, with the mean claimed for their paper."""
        claims = [
            (page["reviewers"][one.reviewer], one.level, one.score, one.mean)
            for one in deduce_hidden_reviews(page)
        ]
        schema = dict.fromkeys(("level", "score", "claimed"), pl.Float64)
        return (
            pl.DataFrame(claims, schema={"reviewer": pl.String, **schema}, orient="row")
            .join(self._reviews, on="reviewer")
            .filter(
                ~pl.col("paper").is_in(sorted(chair.papers)),
                pl.col("value") == pl.col("level"),
                (pl.col("dequantized") - pl.col("score")).abs() < PRECISION,
            )
        )

    def _implied(self, page: View, same: pl.DataFrame) -> int:
        names = page["reviewers"], page["papers"]["paper"]
        claims = {
            (names[0][one.reviewer], str(names[1][one.paper]), one.above)
            for one in implied_scores(page)
        }
        return len(claims & set(same.select("reviewer", "paper", "above").iter_rows()))
