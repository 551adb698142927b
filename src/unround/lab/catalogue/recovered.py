"""Conferences with real rankings: fine scores are rounded to fewer levels, and rankings kept as given.

The scores before rounding are the truth. Pairs with equal fine scores have no truth and do not count.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.trials.case import Case, Sample
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.validation import Coarsening, coarsen_reviews
from unround.settings import Policy, Settings
from unround.simulate import Conference

LEAST_LEVELS = 2


class CoarseCase(Case):
    """A case built from a ReviewSet instead of a drawn conference."""

    def __init__(self, coarse: ReviewSet, truth: FloatArray, settings: Settings) -> None:
        stated, paper = coarse.statements.rank, coarse.paper
        rank = stated - np.nanmin(stated) + 1.0 if not np.isnan(stated).all() else stated
        reviews = pl.DataFrame(
            {
                "reviewer": coarse.reviewer,
                "paper": paper,
                "score": coarse.scale.values[coarse.level],
            }
        )
        # Codes of ranks count from 0.
        ranked = reviews.select("reviewer", "paper").with_columns(rank=pl.Series(rank + 1.0))
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
