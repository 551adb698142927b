"""After `unround warm` neither a run nor an audit has anything to compile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import unround
from tests.audit.conference import contradicting
from unround.audit.influence.audit import audit_influence
from unround.cli.commands.warm import warm
from unround.disclosure.snapshot import Snapshot
from unround.runs.compute import compute_run
from unround.runs.uncertainty import EstimateOptions
from unround.settings import Accept, Settings

ROOT = Path(__file__).parents[2]


def compiled() -> set[tuple[str, object]]:
    """Return every compiled kernel of the modules that were imported, with its signatures."""
    modules = [module for name, module in sys.modules.items() if name.startswith("unround.")]
    kernels = [value for module in modules for value in vars(module).values() if _is_kernel(value)]
    return {
        (f"{kernel.py_func.__module__}.{kernel.__name__}", signature)
        for kernel in kernels
        for signature in kernel.signatures
    }


def _is_kernel(value: object) -> bool:
    return isinstance(getattr(value, "signatures", None), list)


@pytest.mark.slow
def test_runs_and_audits_find_everything_compiled():
    """In a process of its own, where no other test has compiled what `warm` leaves out."""
    code = f"from {__name__} import check_that_nothing_is_left_to_compile as check; check()"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, check=True)


def check_that_nothing_is_left_to_compile():
    steps = []
    warm(lambda done, total: steps.append((done, total)))
    assert steps[-1] == (len(steps) - 1, len(steps) - 1)
    before = compiled()
    assert len(before) >= 15
    made = unround.simulate.thurstone(papers=60, papers_per_reviewer=(3, 9), seed=4)
    estimates = EstimateOptions(True, True, True, Accept.read("20"))
    settings = Settings.checked(conflicts="rankings")
    tables = unround.Tables.of(made.reviews, made.rankings)
    compute_run(tables, settings, estimates=estimates)
    compute_run(tables, settings.changed(lam="auto+"))
    turned = contradicting(made.rankings, every=3, first=0)
    for conflicts in ("scores", "rankings"):
        result = unround.dequantize(made.reviews, turned, conflicts=conflicts, allow_loss=True)
        audit_influence(Snapshot.of(result), sample=20, progress=lambda *_: None)
    assert compiled() - before == set()
