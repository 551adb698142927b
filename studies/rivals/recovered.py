"""Conferences with real rankings as a data set: fine scores are the truth, rounded ones are given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unround.arrays import BoolArray
from unround.errors import UsageError
from unround.lab import Sample, data
from unround.lab.catalogue.recovered import recovery_case
from unround.lab.trials.case import by_paper
from unround.preparation import prepare
from unround.runs.inputs import read
from unround.settings import Policy, Settings

SEED = 20_250_301
LEAST_PAPERS = 4  # in a group, so that a quarter is one paper


@data("recovered")
def recovered(
    trial: int,
    *,
    reviews: str = "",
    rankings: str = "",
    scale: Sequence[Any] | None = None,
    levels: int | None = None,
    groups: int = 1,
) -> Sample:
    """Take fine scores as the truth, given rounded to fewer levels; a paper's quality is its fine mean.

    reviews   path of a table of reviews, or of an export
    rankings  path of the rankings, if they are in another file
    scale     every level of the fine scores, worst first. None: inferred from the scores
    levels    number of levels to round to. None: half as many, as in validation
    groups    number of random groups of papers. Methods restore the whole conference in every trial, and
              trial n measures them on group n, so that trials give standard errors
    """
    if not reviews:
        raise UsageError("the data set 'recovered' needs reviews = \"PATH\" in its study")
    if trial >= groups:
        raise UsageError(
            f"the data set 'recovered' has {groups} groups of papers and one trial for each: write "
            f"trials = {groups} in its study, or groups = {trial + 1} or more in its fixed parameters"
        )
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
