"""Trials on the workers of a Dask cluster, through joblib's Dask backend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.trials import Outcome, Trial, run_trial

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
    from unround.solver.dask_client import plain_losses

    with plain_losses(client, KEPT), parallel_config("dask", client=client):
        parallel = Parallel(return_as="generator_unordered")
        yield from parallel(delayed(_outcome)(key, trial, scores) for key, trial in missing)


def _outcome(key: str, trial: Trial, scores: FloatArray | None) -> tuple[str, Outcome]:
    return key, run_trial(trial, scores)
