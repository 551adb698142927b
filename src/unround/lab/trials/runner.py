"""Plan -> finished trials: compute those that are not on disk, on all cores or on a cluster.

Finished trials are kept on disk, one small file each, named by the digest of all its inputs.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.catalogue.iclr import Scores
from unround.lab.plan import Plan
from unround.lab.study import Setting, Study
from unround.lab.trials.trial import Outcome, Row, Trial, run_trial
from unround.output.atomic import whole_file
from unround.progress import StepProgress

KEPT = "finished trials are kept, and the same command goes on from there"
INSTALL = "install what the lab needs with: pip install 'unround[lab]'"


@dataclass(frozen=True)
class Finished:
    """A finished trial with its study and setting."""

    study: Study
    setting: Setting
    number: int
    outcome: Outcome


@dataclass(frozen=True)
class Task:
    """A trial of a study, and the key under which its result is stored."""

    study: Study
    trial: Trial
    key: str


def tasks_of(plan: Plan, trials: int, scores: Scores | None) -> list[Task]:
    """Return every trial that can run. Settings whose data are missing are left out."""
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
    """Name the studies that cannot run, or only in part, without a table of scores."""
    if scores is not None:
        return []
    named = []
    for study in plan.studies:
        needing = [point.needs_scores for point in study.points()]
        if any(needing):
            named.append(study.name if all(needing) else f"{study.name} in part")
    return named


def run(
    tasks: list[Task],
    scores: Scores | None,
    store: Store,
    *,
    jobs: int,
    client: Any = None,
    progress: StepProgress | None = None,
) -> list[Finished]:
    """Compute the missing trials, then read all back in the order of the tasks.

    With a Dask client the trials run on its cluster, and `jobs` plays no part.
    """
    missing = {task.key: task.trial for task in tasks if not store.has(task.key)}
    total = len({task.key for task in tasks})
    done = total - len(missing)
    show = progress or (lambda done, total: None)
    show(done, total)
    table = scores.table if scores is not None else None
    ordered = _longest_first(missing)
    computed = (
        _on_cores(ordered, table, store, jobs)
        if client is None
        else _on_cluster(ordered, table, store, client)
    )
    for _ in computed:
        done += 1
        show(done, total)
    return [
        Finished(task.study, task.trial.setting, task.trial.number, store.load(task.key))
        for task in tasks
    ]


def _longest_first(missing: dict[str, Trial]) -> list[tuple[str, Trial]]:
    """Put large conferences first, so that no core waits for one at the end."""
    return sorted(
        missing.items(), key=lambda entry: -int(entry[1].setting.parameters.get("papers") or 0)
    )


def _on_cores(
    missing: list[tuple[str, Trial]], scores: FloatArray | None, store: Store, jobs: int
) -> Iterator[None]:
    """Compute and store each trial on this machine; yield once per finished trial."""
    if jobs == 1 or len(missing) <= 1:
        for key, trial in missing:
            store.save(key, run_trial(trial, scores))
            yield
        return
    try:
        from joblib import Parallel, delayed
    except ModuleNotFoundError:
        raise UsageError(f"several jobs need joblib; {INSTALL}, or use --jobs 1") from None
    # Workers are kept between calls and may stand in another folder by then.
    shared, parent = Store(store.folder.absolute()), os.getpid()
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    yield from parallel(
        delayed(_finish)(key, trial, scores, shared, parent) for key, trial in missing
    )


def _finish(key: str, trial: Trial, scores: FloatArray | None, store: Store, parent: int) -> None:
    end_with(parent)
    # One process per core: threads within a solve would only get in each other's way.
    os.environ["UNROUND_THREADS"] = "1"
    store.save(key, run_trial(trial, scores))


def _on_cluster(
    missing: list[tuple[str, Trial]], scores: FloatArray | None, store: Store, client: Any
) -> Iterator[None]:
    """Compute each trial on a cluster and store it here: workers need not share the folder."""
    try:
        from joblib import Parallel, delayed, parallel_config
    except ModuleNotFoundError:
        raise UsageError(
            "trials on a cluster need joblib; install it with: pip install 'unround[cluster]'"
        ) from None
    from unround.solver.dask_client import plain_losses

    with plain_losses(client, KEPT), parallel_config("dask", client=client):
        parallel = Parallel(return_as="generator_unordered")
        computed = parallel(delayed(_outcome)(key, trial, scores) for key, trial in missing)
        for key, outcome in computed:
            store.save(key, outcome)
            yield


def _outcome(key: str, trial: Trial, scores: FloatArray | None) -> tuple[str, Outcome]:
    return key, run_trial(trial, scores)


SECONDS = 0.5


@cache
def end_with(parent: int) -> None:
    """End this process soon after its parent has. A killed parent cannot tell its workers."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    # Whoever outlives its parent gets another one.
    while os.getppid() == parent:
        time.sleep(SECONDS)
    os._exit(1)


class Store:
    """A folder of finished trials. Each file is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, key: str) -> bool:
        """Return whether a trial is finished."""
        return self._path(key).is_file()

    def save(self, key: str, outcome: Outcome) -> None:
        """Write a finished trial."""
        rows = [[row.method, row.metric, row.value, row.lam] for row in outcome.rows]
        with whole_file(self._path(key)) as draft:
            draft.write_text(json.dumps({"seed": outcome.seed, "rows": rows}), "utf-8")

    def load(self, key: str) -> Outcome:
        """Read a finished trial."""
        kept = json.loads(self._path(key).read_text("utf-8"))
        return Outcome(kept["seed"], tuple(Row(*row) for row in kept["rows"]))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
