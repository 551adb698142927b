"""The engine "gpu" without a GPU: its tests run on Numba's simulator, and without either it says so."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import cuda

import unround
from unround.gpu import check_versions, open_gpu
from unround.runs.uncertainty import EstimateOptions, estimate_uncertainty

HERE = Path(__file__).parent


@pytest.mark.slow
def test_every_test_of_the_gpu_passes_on_the_simulator():
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
        str(HERE / "device"),
    ]
    done = subprocess.run(
        words, env={**os.environ, **simulated}, cwd=HERE.parents[1], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout


@pytest.fixture
def conference():
    if cuda.is_available():
        pytest.skip("there is a GPU")
    return unround.simulate.thurstone(papers=12, seed=1)


@pytest.mark.parametrize(
    "work",
    [
        lambda reviews, _: unround.dequantize(reviews, engine="gpu"),
        lambda _, result: unround.stability(result, draws=2, engine="gpu"),
        lambda _, result: estimate_uncertainty(
            result, EstimateOptions(stability=True), engine="gpu"
        ),
    ],
    ids=["dequantize", "stability", "a run's estimates"],
)
def test_without_a_gpu_the_engine_says_what_is_missing(conference, work):
    result = unround.dequantize(conference.reviews, conference.rankings, lam=5.0)
    with pytest.raises(unround.UsageError, match=r"no NVIDIA GPU .*unround\[gpu\]"):
        work(conference.reviews, result)


@pytest.mark.parametrize(
    "words", [("run", "reviews.csv", "--engine", "gpu"), ("bulk", "reviews.parquet")]
)
def test_commands_end_with_code_2_and_write_nothing(conference, call, tmp_path, words):
    conference.reviews.write_csv(tmp_path / "reviews.csv")
    ended = call(words[0], tmp_path / words[1], *words[2:], "-o", tmp_path / "out")
    assert ended.exit_code == 2, ended.output
    assert "no NVIDIA GPU" in ended.output
    assert not (tmp_path / "out").exists()


def test_a_missing_gpu_is_said_before_files_are_read(conference, call, tmp_path):
    (tmp_path / "reviews.csv").write_text("no table of reviews")
    ended = call("run", tmp_path / "reviews.csv", "--engine", "gpu", "-o", tmp_path / "out")
    assert ended.exit_code == 2
    assert "no NVIDIA GPU" in ended.output


def test_a_numpy_without_what_numba_cuda_needs_is_refused_in_words(monkeypatch):
    """NumPy 2.5 has no row_stack, and numba-cuda 0.30 compiles no kernel without it."""
    monkeypatch.setattr("unround.gpu.version", {"numba-cuda": "0.30.4"}.__getitem__)
    check_versions()
    monkeypatch.delattr(np, "row_stack")
    monkeypatch.setattr(np, "__version__", "2.5.0")
    sentence = r"numba-cuda 0\.30\.4 does not work with NumPy 2\.5\.0; .*pip install 'numpy<2\.5'"
    with pytest.raises(unround.UsageError, match=sentence):
        check_versions()


def test_without_numba_cuda_any_numpy_will_do(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("unround.gpu.version", missing)
    monkeypatch.delattr(np, "row_stack")
    check_versions()


@pytest.mark.parametrize("missing", ["cupy", "numba.cuda"])
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, missing):
    monkeypatch.setattr(cuda, "is_available", lambda: True)
    for name in [*sys.modules]:
        if name.startswith("unround.gpu.") or name == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delattr(numba, "cuda", raising=False)
    with pytest.raises(unround.UsageError, match=r"(cupy|numba).*pip install 'unround\[gpu\]'"):
        open_gpu()
