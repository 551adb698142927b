"""Compute the trials of a plan that are not on disk yet, on all cores or on a cluster.

Each finished trial is a small file, named by the digest of everything it depends on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.catalogue.iclr import Scores
from unround.lab.plan import StudyPlan
from unround.lab.trials.trial import Measurement, Trial, TrialResult, run_trial
from unround.output.atomic import whole_file
from unround.progress import StepProgress

KEPT = "finished trials are kept; run the same command again to continue"
INSTALL = "install what the lab needs with: pip install 'unround[lab]'"


def trials_of(plan: StudyPlan, trials: int, scores: Scores | None) -> list[Trial]:
    """Return every trial of a plan; settings whose scores are missing are left out."""
    return [
        Trial(study, setting, number, plan.sources)
        for study in plan.studies
        for setting in study.points()
        if scores is not None or not setting.needs_scores
        for number in range(study.first, study.first + (study.trials or trials))
    ]


def lacking_scores(plan: StudyPlan, scores: Scores | None) -> list[str]:
    """Name the studies that cannot run, or only in part, without a table of scores."""
    if scores is not None:
        return []
    names = []
    for study in plan.studies:
        needs = [point.needs_scores for point in study.points()]
        if any(needs):
            names.append(study.name if all(needs) else f"{study.name} in part")
    return names


def run(
    trials: Sequence[Trial],
    scores: Scores | None,
    store: Store,
    *,
    jobs: int,
    client: Any = None,
    progress: StepProgress = lambda _done, _total: None,
) -> list[tuple[Trial, TrialResult]]:
    """Compute the trials that are not stored; return the results of all, in the given order.

    With a Dask client the trials run on its cluster, and `jobs` is ignored.
    """
    digest, table = ("", None) if scores is None else (scores.digest, scores.table)
    keys = [trial.key(digest) for trial in trials]
    by_key = dict(zip(keys, trials, strict=True))
    missing = {key: trial for key, trial in by_key.items() if not store.has(key)}
    finished = len(by_key) - len(missing)
    progress(finished, len(by_key))
    computed = _computed(_longest_first(missing), table, jobs, client)
    for done, (key, result) in enumerate(computed, start=finished + 1):
        store.save(key, result)
        progress(done, len(by_key))
    return [(trial, store.load(key)) for trial, key in zip(trials, keys, strict=True)]


def _longest_first(missing: dict[str, Trial]) -> list[tuple[str, Trial]]:
    """Put large conferences first, so that no core waits for one at the end."""
    return sorted(
        missing.items(), key=lambda entry: -int(entry[1].setting.parameters.get("papers") or 0)
    )


def _computed(
    missing: list[tuple[str, Trial]], scores: FloatArray | None, jobs: int, client: Any
) -> Iterator[tuple[str, TrialResult]]:
    """Yield results as they are finished: in this process, in several, or on a cluster."""
    if client is None and (jobs == 1 or len(missing) <= 1):
        yield from ((key, run_trial(trial, scores)) for key, trial in missing)
        return
    try:
        from joblib import Parallel, delayed, parallel_config
    except ModuleNotFoundError:
        raise UsageError(
            f"several jobs, or a cluster, need joblib; {INSTALL}, or use --jobs 1"
        ) from None
    with ExitStack() as stack:
        if client is not None:
            from unround.solver.dask_client import plain_losses

            stack.enter_context(plain_losses(client, KEPT))
            stack.enter_context(parallel_config("dask", client=client))
        processes = jobs if client is None else None
        parallel = Parallel(n_jobs=processes, return_as="generator_unordered")
        yield from parallel(
            delayed(_with_key)(key, trial, scores, client is not None) for key, trial in missing
        )


def _with_key(
    key: str, trial: Trial, scores: FloatArray | None, on_cluster: bool
) -> tuple[str, TrialResult]:
    """Compute a trial in a process of its own, or on a cluster."""
    if not on_cluster:
        os.environ["UNROUND_THREADS"] = "1"  # one process per core, so each solve gets one thread
    return key, run_trial(trial, scores)


class Store:
    """A folder of finished trials. Each file is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, key: str) -> bool:
        """Return whether a trial is finished."""
        return self._path(key).is_file()

    def save(self, key: str, result: TrialResult) -> None:
        """Write a finished trial."""
        rows = [[row.method, row.metric, row.value, row.lam] for row in result.rows]
        with whole_file(self._path(key)) as draft:
            draft.write_text(json.dumps({"seed": result.seed, "rows": rows}), "utf-8")

    def load(self, key: str) -> TrialResult:
        """Read a finished trial."""
        stored = json.loads(self._path(key).read_text("utf-8"))
        return TrialResult(stored["seed"], tuple(Measurement(*row) for row in stored["rows"]))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
