"""A user's own conference with real rankings: fine scores made coarser, rankings as they were given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.lab.recovery import recovery_case
from unround.lab.registry import data
from unround.lab.trials.sample import Sample, by_paper
from unround.preparation import prepare
from unround.settings import EPSILON, Policy, Settings


@data("recovered")
def recovered(
    trial: int,
    *,
    reviews: str = "",
    rankings: str = "",
    published: str = "",
    scale: Sequence[Any] | None = None,
    levels: int | None = None,
) -> Sample:
    """Fine scores are the truth, given rounded to fewer levels; a paper's quality is its fine mean.

    reviews   path of a table of reviews, or of an export
    rankings  path of the rankings, where the reviews do not hold them
    published name of a published data set ("aibs", "sushi", "zurich") that `reviews` is the path of
    scale     every level of the fine scores, worst first. None: told from the scores
    levels    how many levels are left. None: half as many, as in validation
    """
    # Only here: drawn conferences need no readers of files.
    from unround.lab.catalogue.real import DATA_SETS, read_data_set
    from unround.runs.inputs import read

    if not reviews:
        raise UsageError("the data set 'recovered' needs reviews = \"PATH\" in its study")
    if published and published not in DATA_SETS:
        raise UsageError(f"published is one of {', '.join(DATA_SETS)}, not {published!r}")
    if trial > 0:
        raise UsageError("the data set 'recovered' draws nothing: write trials = 1 in its study")
    if published:
        tables = read_data_set(published, [Path(reviews)])
    else:
        tables = read(Path(reviews), rankings=[Path(rankings)] if rankings else [])
    settings = Settings.checked(EPSILON, Policy.SCORES, "apart", None, scale or tables.scale)
    case = recovery_case(prepare(tables, settings).reviews, settings, levels)
    conference = case.conference
    return Sample(conference, seed=trial, quality=by_paper(conference, case.truth))
