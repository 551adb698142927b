"""The engine "gpu" without a card: its tests run on Numba's simulator, and without any card it says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from numba import cuda

import unround
from unround.cli.group import commands
from unround.lab.catalogue.datasets import thurstone
from unround.lab.plan import our_plan
from unround.lab.trials.case import Case
from unround.lab.trials.trial import Trial
from unround.runs.sureness import Asked, sureness_of
from unround.solver.engine import check_engine

HERE = Path(__file__).parent


@pytest.mark.slow
def test_every_test_of_the_card_passes_on_the_simulator():
    """Functions that both sides share run as plain Python there: the simulator compiles nothing."""
    simulated = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        str(HERE / "card"),
    ]
    done = subprocess.run(
        words, env={**os.environ, **simulated}, cwd=HERE.parents[1], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_without_a_card_the_engine_says_what_is_missing():
    conference = unround.simulate.thurstone(papers=12, seed=1)
    with pytest.raises(unround.UsageError, match=r"no NVIDIA GPU .*unround\[gpu\]"):
        unround.dequantize(conference.reviews, conference.rankings, engine="gpu")


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_the_command_ends_with_code_2_and_writes_nothing(tmp_path):
    conference = unround.simulate.thurstone(papers=12, seed=1)
    conference.reviews.write_csv(tmp_path / "reviews.csv")
    out = tmp_path / "out"
    words = ["run", str(tmp_path / "reviews.csv"), "--engine", "gpu", "-o", str(out)]
    ended = CliRunner().invoke(commands, words)
    assert ended.exit_code == 2, ended.output
    assert "no NVIDIA GPU" in ended.output
    assert not out.exists()


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    "words", [["bulk", "reviews.parquet"], ["reproduce", "noise", "--engine", "gpu"]]
)
def test_other_commands_say_so_too(tmp_path, words):
    ended = CliRunner().invoke(commands, [*words, "-o", str(tmp_path / "out")])
    assert ended.exit_code == 2, ended.output
    assert "no NVIDIA GPU" in ended.output
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_bootstraps_and_trials_ask_for_the_card():
    conference = unround.simulate.thurstone(papers=12, seed=1)
    result = unround.dequantize(conference.reviews, conference.rankings, lam=5.0)
    case = Case(thurstone(1, papers=12), engine="gpu")
    for work in (
        lambda: unround.stability(result, draws=2, engine="gpu"),
        lambda: sureness_of(result, Asked(stability=True), engine="gpu"),
        lambda: case.simulation,
    ):
        with pytest.raises(unround.UsageError, match="no NVIDIA GPU"):
            work()


def test_trials_on_a_card_are_kept_apart():
    study = our_plan("beyond").studies[0]
    here, there = (
        Trial.of(study, next(iter(study.points())), 0, (), engine).key("")
        for engine in ("local", "gpu")
    )
    assert here != there


def test_a_scheduler_is_refused():
    with pytest.raises(unround.UsageError, match="'dask' only"):
        check_engine("gpu", "tcp://127.0.0.1:8786")
