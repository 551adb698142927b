"""Conferences with real rankings: fine scores are rounded to fewer levels, and rankings kept as given.

The scores before rounding are the truth. Pairs with equal fine scores have no truth and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import BoolArray, FloatArray
from unround.errors import UsageError
from unround.lab.registry import data
from unround.lab.trials.case import Case, Sample, by_paper
from unround.preparation import prepare
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.validation import Coarsening, coarsen_reviews
from unround.settings import Policy, Settings
from unround.simulate import Conference

LEAST_LEVELS = 2


class CoarseCase(Case):
    """A case built from a ReviewSet instead of a drawn conference."""

    def __init__(self, coarse: ReviewSet, truth: FloatArray, settings: Settings) -> None:
        rank, paper = coarse.statements.rank, coarse.paper
        reviews = pl.DataFrame(
            {
                "reviewer": coarse.reviewer,
                "paper": paper,
                "score": coarse.scale.values[coarse.level],
            }
        )
        ranked = reviews.select("reviewer", "paper").with_columns(rank=pl.Series(rank))
        rankings = ranked.filter(pl.Series(~np.isnan(rank)))
        conference = Conference(reviews, rankings, truth, coarse.scale)
        super().__init__(Sample(conference, seed=0))
        self.settings = settings
        self._coarse = coarse

    @cached_property
    def reviews(self) -> ReviewSet:
        """The coarse reviews, with rows renumbered."""
        return replace(self._coarse, row=np.arange(len(self._coarse), dtype=np.int64))

    def under(self, policy: Policy) -> CoarseCase:
        """Return the same reviews and rankings under another policy."""
        settings = replace(self.settings, conflicts=policy)
        return CoarseCase(self._coarse, self.truth, settings)

    def with_statements(self, statements: Statements) -> CoarseCase:
        """Return the same coarse scores with other rankings."""
        return CoarseCase(self._coarse.with_statements(statements), self.truth, self.settings)

    def without_rankings(self) -> CoarseCase:
        """Return the coarse scores alone."""
        return self.with_statements(Statements.none(len(self._coarse)))


def recovery_case(reviews: ReviewSet, settings: Settings, levels: int | None = None) -> CoarseCase:
    """Round fine scores to a number of levels and keep the rankings.

    Without `levels`, scores are rounded as in quantization validation. The truth of the case is the fine
    score of each review, in the order of the ReviewSet. The policy settles rankings that contradict the
    coarse scores; "refuse" acts like "scores".
    """
    if np.unique(reviews.level).size < 3:
        raise UsageError(
            "a comparison needs scores of at least three different levels, because it rounds them to fewer"
        )
    if settings.conflicts is Policy.REFUSE:
        settings = replace(settings, conflicts=Policy.SCORES)
    coarsening = None if levels is None else coarsening_to(levels, len(reviews.scale.levels))
    coarse = coarsen_reviews(reviews, coarsening).with_statements(reviews.statements)
    return CoarseCase(coarse, reviews.given, settings)


def coarsening_to(levels: int, of: int) -> Coarsening:
    """Return the rounding of a scale to levels 1 .. `levels`, of nearly equal numbers of fine levels.

    >>> import numpy as np
    >>> coarsening_to(3, of=7)(np.arange(1.0, 8.0)).tolist()
    [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    """
    if not LEAST_LEVELS <= levels < of:
        raise UsageError(
            f"{levels} levels: scores on a scale of {of} can be rounded to 2 to {of - 1} levels"
        )

    def coarse(values: FloatArray) -> FloatArray:
        place = np.arange(values.size, dtype=np.float64)
        return 1.0 + np.floor(place * levels / of)

    return coarse


def between_levels(reviews: ReviewSet) -> Statements:
    """Return the rankings between papers of different score; papers of one score share a rank."""
    statements = reviews.statements
    ranked = np.flatnonzero(~np.isnan(statements.rank))
    owner_and_level = np.stack([reviews.reviewer[ranked], reviews.level[ranked]])
    _, group = np.unique(owner_and_level, axis=1, return_inverse=True)
    group = group.reshape(-1)
    rank = np.full(len(reviews), np.nan)
    rank[ranked] = (np.bincount(group, statements.rank[ranked]) / np.bincount(group))[group]
    apart = reviews.level[statements.better] != reviews.level[statements.worse]
    return replace(
        statements, rank=rank, better=statements.better[apart], worse=statements.worse[apart]
    )


SEED = 20_250_301
LEAST_PAPERS = 4  # in a group, so that a quarter is one paper


@data("recovered")
def recovered(
    trial: int,
    *,
    reviews: str = "",
    rankings: str = "",
    published: str = "",
    scale: Sequence[Any] | None = None,
    levels: int | None = None,
    groups: int = 1,
) -> Sample:
    """Take fine scores as the truth, given rounded to fewer levels; a paper's quality is its fine mean.

    reviews   path of a table of reviews, or of an export
    rankings  path of the rankings, if they are in another file
    published name of the published data set ("aibs", "sushi", "zurich") at the path `reviews`
    scale     every level of the fine scores, worst first. None: inferred from the scores
    levels    number of levels to round to. None: half as many, as in validation
    groups    number of random groups of papers. Methods restore the whole conference in every trial, and
              trial n measures them on group n, so that trials give standard errors
    """
    # Not at the top: synthetic conferences need no readers.
    from unround.lab.catalogue.published import DATA_SETS, read_data_set
    from unround.runs.inputs import read

    if not reviews:
        raise UsageError("the data set 'recovered' needs reviews = \"PATH\" in its study")
    if published and published not in DATA_SETS:
        raise UsageError(f"published is one of {', '.join(DATA_SETS)}, not {published!r}")
    if trial >= groups:
        raise UsageError(
            f"the data set 'recovered' has {groups} groups of papers and one trial for each: write "
            f"trials = {groups} in its study, or groups = {trial + 1} or more in its fixed parameters"
        )
    if published:
        tables = read_data_set(published, [Path(reviews)])
    else:
        tables = read(Path(reviews), rankings=[Path(rankings)] if rankings else [])
    settings = Settings.checked(conflicts=Policy.SCORES, scale=scale or None)
    case = recovery_case(prepare(tables, settings).reviews, settings, levels)
    conference = case.conference
    quality = by_paper(conference, case.truth)
    return Sample(conference, trial, quality=quality, counted=_group(trial, groups, quality.size))


def _group(trial: int, groups: int, papers: int) -> BoolArray | None:
    """Return the papers of a trial's group; sizes of groups differ by one paper at most."""
    if groups == 1:
        return None
    if papers < LEAST_PAPERS * groups:
        raise UsageError(
            f"{papers} papers are too few for {groups} groups of at least {LEAST_PAPERS}: write "
            f"groups = {max(papers // LEAST_PAPERS, 1)} or fewer"
        )
    group = np.random.default_rng(SEED).permutation(papers) % groups
    counted: BoolArray = group == trial
    return counted
