"""After `unround warm` no run has anything to compile."""

from __future__ import annotations

import pytest

import unround
from unround.compiler import KERNELS
from unround.runs.perform import perform_tables
from unround.runs.sureness import Accept, Asked
from unround.runs.warm import warm
from unround.settings import Settings


def compiled() -> set[tuple[str, object]]:
    return {
        (f"{kernel.py_func.__module__}.{kernel.__name__}", signature)
        for kernel in KERNELS
        for signature in kernel.signatures
    }


@pytest.mark.slow
def test_a_run_finds_everything_compiled():
    steps = []
    assert warm(lambda done, total: steps.append((done, total))) >= 15
    assert steps[-1] == (len(steps) - 1, len(steps) - 1)
    before = compiled()
    made = unround.simulate.thurstone(papers=60, papers_per_reviewer=(3, 9), seed=4)
    asked = Asked(True, True, True, Accept.read("20"))
    settings = Settings.checked(conflicts="rankings")
    tables = unround.Tables.of(made.reviews, made.rankings)
    perform_tables(tables, settings, asked=asked)
    perform_tables(tables, settings.changed(lam="auto+"))
    assert compiled() - before == set()
