"""Plan -> finished trials: what is not on disk yet is computed, on all cores or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.catalogue.iclr import Scores
from unround.lab.plan import Plan
from unround.lab.study import Setting, Study
from unround.lab.trials.store import Store
from unround.lab.trials.trial import Outcome, Trial, run_trial

Progress = Callable[[int, int], None]
INSTALL = "install what the lab needs with: pip install 'unround[lab]'"


@dataclass(frozen=True)
class Finished:
    """A finished trial and where it belongs."""

    study: Study
    setting: Setting
    number: int
    outcome: Outcome


@dataclass(frozen=True)
class Task:
    """A trial of a study, and the name of its result."""

    study: Study
    trial: Trial
    key: str


def tasks_of(plan: Plan, trials: int, scores: Scores | None) -> list[Task]:
    """Every trial that can run. Settings without their data are left out."""
    digest = scores.digest if scores is not None else ""
    return [
        Task(study, trial, trial.key(digest))
        for study in plan.studies
        for setting in study.points()
        if scores is not None or not setting.needs_scores
        for number in range(study.trials or trials)
        for trial in [Trial.of(study, setting, number, plan.sources)]
    ]


def lacking_scores(plan: Plan, scores: Scores | None) -> list[str]:
    """The studies that cannot run, or not wholly, without a table of scores."""
    if scores is not None:
        return []
    return [s.name for s in plan.studies if any(point.needs_scores for point in s.points())]


def run(
    tasks: list[Task],
    scores: Scores | None,
    store: Store,
    *,
    jobs: int,
    client: Any = None,
    progress: Progress | None = None,
) -> list[Finished]:
    """Compute what is missing, then read everything back in the order of the tasks.

    With a Dask client the trials run on its cluster, and `jobs` plays no part.
    """
    missing = {task.key: task.trial for task in tasks if not store.has(task.key)}
    total = len({task.key for task in tasks})
    done = total - len(missing)
    told = progress or (lambda done, total: None)
    told(done, total)
    table = scores.table if scores is not None else None
    ordered = _longest_first(missing)
    computed = (
        _computed(ordered, table, store.folder, jobs)
        if client is None
        else _computed_by(client, ordered, table, store)
    )
    for finished in computed:
        done += finished
        told(done, total)
    return [
        Finished(task.study, task.trial.setting, task.trial.number, store.load(task.key))
        for task in tasks
    ]


def _longest_first(missing: dict[str, Trial]) -> list[tuple[str, Trial]]:
    """Large conferences first, so that no core waits for one at the end."""
    return sorted(
        missing.items(), key=lambda entry: -int(entry[1].setting.parameters.get("papers") or 0)
    )


def _computed(
    missing: list[tuple[str, Trial]], scores: FloatArray | None, folder: Path, jobs: int
) -> Iterable[int]:
    """Compute and keep each trial; a 1 for each that is done."""
    if jobs == 1 or len(missing) <= 1:
        yield from (_finish(trial, key, scores, folder) for key, trial in missing)
        return
    try:
        from joblib import Parallel, delayed
    except ImportError:
        raise UsageError(f"several jobs need joblib; {INSTALL}, or use --jobs 1") from None
    # Workers are kept between calls and may stand in another folder by then.
    there = folder.absolute()
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    yield from parallel(delayed(_finish_apart)(trial, key, scores, there) for key, trial in missing)


def _computed_by(
    client: Any, missing: list[tuple[str, Trial]], scores: FloatArray | None, store: Store
) -> Iterable[int]:
    """The same on a cluster: workers send their trials back, so that they need not share the folder."""
    for key, outcome in outcomes(client, missing, scores):
        store.save(key, outcome)
        yield 1


def _finish_apart(trial: Trial, key: str, scores: FloatArray | None, folder: Path) -> int:
    # One process a core: threads within a solve would only get in each other's way.
    os.environ["UNROUND_THREADS"] = "1"
    return _finish(trial, key, scores, folder)


def _finish(trial: Trial, key: str, scores: FloatArray | None, folder: Path) -> int:
    Store(folder).save(key, run_trial(trial, scores))
    return 1


KEPT = "finished trials are kept, and the same command goes on from there"


def outcomes(
    client: Any, missing: list[tuple[str, Trial]], scores: FloatArray | None
) -> Iterable[tuple[str, Outcome]]:
    """Each trial's name and what came of it, in the order in which they are done."""
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError:
        raise UsageError(
            "trials on a cluster need joblib; install it with: pip install 'unround[cluster]'"
        ) from None
    from unround.solver.dask.client import plain_losses

    with plain_losses(client, KEPT), parallel_config("dask", client=client):
        parallel = Parallel(return_as="generator_unordered")
        yield from parallel(delayed(_outcome)(key, trial, scores) for key, trial in missing)


def _outcome(key: str, trial: Trial, scores: FloatArray | None) -> tuple[str, Outcome]:
    return key, run_trial(trial, scores)
