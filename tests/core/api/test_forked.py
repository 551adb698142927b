"""Nothing hangs in a forked process, though polars' threads and our own do not survive a fork."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# The parent uses polars' threads and ours, so that a child which waits for them waits for ever.
SCRIPT = """
import multiprocessing, sys, warnings
import numpy, polars, unround
from unround.solver.local import for_each

conference = unround.simulate.thurstone(60, seed=1)
reviews, rankings = conference.reviews, conference.rankings
reviews.sort("score").select("paper", "score").group_by("paper").agg(polars.col("score").sum())
changed, fewer = (table.filter(polars.col("reviewer") > 3) for table in (reviews, rankings))
unround.dequantize(reviews, rankings, lam=1.0)
for_each(lambda block: None, 4)


def result():
    return unround.dequantize(reviews, rankings, lam=1.0)


def update():
    return unround.update(result(), changed, fewer).changes


def trial():
    from unround.lab.study import Study
    from unround.lab.trials.trial import Trial, run_trial
    for data in ("thurstone", "unruly"):
        study = Study("s", "t", data, methods=["quantized", "bre", "proposed"], fixed={"papers": 12})
        run_trial(Trial(study, study.points()[0], 0), None)


CALLS = {
    "thurstone": lambda: unround.simulate.thurstone(30, seed=2),
    "coarsened": lambda: unround.simulate.coarsened([[7, 8, 3], [5, 5, 6]], seed=0),
    "scores": lambda: result().scores,
    "papers": lambda: result().papers,
    "explanation": lambda: result().explanation,
    "bindings": lambda: result().bindings,
    "validation": lambda: unround.dequantize(reviews, rankings).selection,
    "simulation": lambda: unround.dequantize(reviews, rankings, lam="auto+"),
    "check": lambda: unround.check(reviews, rankings),
    "select_lambda": lambda: unround.select_lambda(reviews).curve,
    "update": update,
    "bre": lambda: unround.baselines.bre_adjusted(reviews, rankings),
    "threads": lambda: for_each(lambda block: None, 4),
    "trial": trial,
}


warnings.simplefilter("ignore")
for name in sys.argv[1:]:
    process = multiprocessing.get_context("fork").Process(target=CALLS[name])
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
        sys.exit(f"{name} hangs")
    if process.exitcode:
        sys.exit(f"{name} ended with {process.exitcode}")
"""
WORKS = (
    *("thurstone", "coarsened", "scores", "papers", "explanation", "bindings", "validation"),
    *("simulation", "check", "select_lambda", "update", "bre", "threads", "trial"),
)


@pytest.mark.slow
def test_calls_work_in_a_forked_process():
    """Each in a process of its own, one after the other."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *WORKS],
        env=os.environ | {"UNROUND_THREADS": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
