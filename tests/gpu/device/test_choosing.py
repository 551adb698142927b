"""λ is chosen on the GPU as on the CPU: pairs are counted, not estimated."""

import numpy as np
import polars as pl
import pytest

import unround
from tests.gpu.device.conferences import tables
from unround.gpu.launch import xp
from unround.gpu.metrics import KendallByLevels
from unround.gpu.solver import GpuEngine, check_memory
from unround.metrics.kendall import KendallError
from unround.selection.simulation import simulated
from unround.solver.engine import ON_THIS_MACHINE

GRID = [2.0, 30.0]


def narrow(kind="total", seed=3):
    """A conference on three levels: small tables of counts, where a GPU is simulated."""
    reviews, ranks, _ = tables(kind, seed=seed)
    return reviews.with_columns(score=pl.col("score").clip(4, 6)), ranks


def test_pairs_are_counted_as_on_the_cpu():
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 60).astype(float)
    estimate = np.round(truth / 50 + random.normal(0, 0.02, 60), 3)
    measure = KendallError(truth)
    there = KendallByLevels(measure, xp.asarray(measure.codes))
    assert there.count(xp.asarray(estimate)) == measure.count(estimate)
    assert measure.count(estimate)[1] > 0


def test_the_curve_is_that_of_the_cpu():
    reviews, _ = narrow()
    here = unround.select_lambda(reviews, grid=GRID)
    there = unround.select_lambda(reviews, grid=GRID, engine="gpu")
    assert there.curve.equals(here.curve)


def test_a_whole_run_is_that_of_the_cpu():
    reviews, ranks = narrow()
    here = unround.dequantize(reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True)
    there = unround.dequantize(
        reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True, engine="gpu"
    )
    assert there.certificate.max_error <= 1e-9
    apart = here.scores["dequantized"] - there.scores["dequantized"]
    assert apart.abs().max() <= 1e-9


def test_too_little_memory_says_how_much_is_wanted():
    with pytest.raises(unround.UsageError, match=r"has 1\.5 GB .* wants 4\.0 GB"):
        check_memory(4.0e9, 1.5e9)


@pytest.mark.parametrize("kind", ["total", "pairs"])
def test_drawn_conferences_choose_as_on_the_cpu(kind):
    reviews, ranks = narrow(kind, seed=1)
    result = unround.dequantize(reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True)
    known, grid = result.internals.reviews, np.array(GRID)
    here, there = (
        simulated(known, result.settings, draws=1, grid=grid, engine=engine)
        for engine in (ON_THIS_MACHINE, GpuEngine())
    )
    assert there.error.tolist() == here.error.tolist()


def test_stability_is_that_of_the_cpu():
    reviews, ranks, _ = tables("total")
    result = unround.dequantize(reviews, ranks, lam=8.0, conflicts="scores", allow_loss=True)
    here = unround.stability(result, draws=2)
    there = unround.stability(result, draws=2, engine="gpu")
    assert there.share_of_pairs == pytest.approx(here.share_of_pairs, abs=1e-3)
    for column in ("low", "high"):
        assert (here.papers[column] - there.papers[column]).abs().max() <= 1e-4
