"""Small versions of our studies, and a small table of scores."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unround.lab.catalogue.iclr import Scores
from unround.lab.plan import OURS, StudyPlan, our_plan, read_folder
from unround.lab.results import Results, tidy
from unround.lab.study import Study
from unround.lab.trials.runner import Store, run, trials_of

ROOT = Path(__file__).parents[2]
STUDIES = ROOT / "studies"
# The parts of the wheel's own plan, and the studies that lie beside it.
PARTS = (*OURS, "advice", "beyond", "rivals", "selection", "asking")
ICLR = os.environ.get("UNROUND_ICLR_2017")
ICLR_2026 = os.environ.get("UNROUND_ICLR_2026")
needs_iclr = pytest.mark.skipif(
    not ICLR, reason="UNROUND_ICLR_2017 does not give the path of the ICLR 2017 scores"
)
SMALL = 12
# The settings of rivals that a small version keeps: there are many methods.
TINY = ("paper: default", "top 2 ranked", "nothing ranked", "k = 6")


@cache
def small_scores() -> Scores:
    """Original scores of 24 made-up papers, three reviews each."""
    random = np.random.default_rng(5)
    quality = random.uniform(2, 9, 24)
    table = np.clip(np.rint(quality[:, None] + random.normal(0, 1.2, (24, 3))), 1, 10)
    return Scores(table, hashlib.sha256(table.tobytes()).hexdigest())


def small_study(study: Study) -> Study:
    """The same study with few papers."""

    def small(given: Mapping[str, Any]) -> dict[str, Any]:
        data = given.get("data", study.data)
        return {**given} if data == "coarsened" else {**given, "papers": SMALL}

    if study.name.startswith("rivals-"):
        study = replace(study, settings=[s for s in study.settings if s["label"] in TINY])
    if study.sweep.get("papers"):
        return replace(study, sweep={"papers": [SMALL, 2 * SMALL]})
    if study.settings:
        return replace(study, settings=[small(given) for given in study.settings])
    return replace(study, fixed=small(study.fixed))


def plan_of(part: str) -> StudyPlan:
    return our_plan(part) if part in OURS else read_folder(STUDIES / part)


@cache
def small_plan(part: str) -> StudyPlan:
    plan = plan_of(part)
    return replace(plan, studies=tuple(small_study(study) for study in plan.studies))


@pytest.fixture(scope="session")
def small_results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Results]:
    """All studies of one of our files with few papers and two trials."""

    @cache
    def results(part: str) -> Results:
        plan, scores = small_plan(part), small_scores()
        store = Store(tmp_path_factory.mktemp(part))
        finished = run(trials_of(plan, 2, scores), scores, store, jobs=1)
        return Results(plan.studies, tidy(finished))

    return results
