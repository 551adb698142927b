"""λ is chosen on the card as on the CPU: pairs are counted, not estimated."""

import numpy as np
import polars as pl
import pytest

import unround
from tests.gpu.card.conferences import tables
from unround.card.launch import cuda
from unround.metrics import KendallError
from unround.scale import Scale
from unround.selection.on_card import dequantize_on_card
from unround.solver.gpu.batch import redrawn
from unround.solver.gpu.conference import CardConference
from unround.solver.gpu.counting import CardKendall
from unround.solver.gpu.engine import check_memory

GRID = [2.0, 30.0]


def narrow():
    """A conference on three levels: counting is slow where a card is simulated."""
    reviews, ranks, _ = tables("total", seed=3)
    return reviews.with_columns(score=pl.col("score").clip(4, 6)), ranks


def test_pairs_are_counted_as_on_the_cpu():
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 60).astype(float)
    estimate = np.round(truth / 50 + random.normal(0, 0.02, 60), 3)
    measure = KendallError(truth)
    there = CardKendall(measure, cuda.to_device(measure.codes))
    assert there.count(cuda.to_device(estimate)) == measure.count(estimate)
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


def on_card(reviews, ranks):
    """The tables as arrays on the card."""
    rows = reviews.join(ranks, on=["reviewer", "paper"]).sort("reviewer", "paper")
    counts = rows.group_by("reviewer", maintain_order=True).len()["len"].to_numpy()
    papers = rows["paper"].unique().sort()
    number = {paper: place for place, paper in enumerate(papers.to_list())}
    arrays = (
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        np.array([number[paper] for paper in rows["paper"].to_list()], dtype=np.int32),
        (rows["score"].to_numpy() - 4).astype(np.uint8),
        (100 - rows["rank"].to_numpy()).astype(np.uint8),
    )
    return CardConference(*map(cuda.to_device, arrays), papers=papers.len()), rows


def test_from_arrays_on_the_card_to_scores_on_the_card():
    reviews, ranks = narrow()
    # Ranked as scored: what contradicts is for the tables to settle.
    ranks = reviews.select("reviewer", "paper", rank=10 - pl.col("score"))
    conference, rows = on_card(reviews, ranks)
    there = dequantize_on_card(conference, Scale.integers(4, 6), grid=np.array(GRID))
    here = unround.dequantize(reviews, ranks, lam=there.lam, scale=[4, 5, 6])
    expected = here.scores.sort("reviewer", "paper")["dequantized"].to_numpy()
    assert rows["paper"].to_list() == here.scores.sort("reviewer", "paper")["paper"].to_list()
    assert np.abs(there.scores.copy_to_host() - expected).max() <= 1e-9
    assert there.certificate is not None
    assert there.certificate.max_error <= 1e-9
    assert there.certificate.objective == pytest.approx(here.certificate.objective, rel=1e-9)
    curve = unround.select_lambda(reviews, scale=[4, 5, 6], grid=GRID).curve
    assert there.curve is not None
    assert there.curve.error.tolist() == curve["error"].to_list()


def test_rankings_against_scores_are_refused():
    reviews, _ = narrow()
    ranks = reviews.select("reviewer", "paper", rank="score")
    with pytest.raises(unround.UsageError, match=r"rankings of \d+ reviewers contradict"):
        dequantize_on_card(on_card(reviews, ranks)[0], Scale.integers(4, 6), lam=1.0)


def test_too_little_memory_says_how_much_is_wanted():
    with pytest.raises(unround.UsageError, match=r"has 1\.5 GB .* wants 4\.0 GB"):
        check_memory(4.0e9, 1.5e9)


def test_copies_drawn_again_are_solved_side_by_side():
    reviews, _ = narrow()
    ranks = reviews.select("reviewer", "paper", rank=10 - pl.col("score"))
    conference, _ = on_card(reviews, ranks)
    scale, papers = Scale.integers(4, 6), conference.papers
    reviewers = conference.start.size - 1
    drawn = np.stack([np.arange(reviewers), np.full(reviewers, 2)])
    both = dequantize_on_card(redrawn(conference, drawn), scale, lam=30.0)
    alone = dequantize_on_card(conference, scale, lam=30.0)
    count = conference.paper.size
    np.testing.assert_array_equal(both.scores.copy_to_host()[:count], alone.scores.copy_to_host())
    assert np.all(np.isfinite(both.centres.copy_to_host()))
    np.testing.assert_allclose(
        both.centres.copy_to_host()[:papers], alone.centres.copy_to_host(), atol=1e-9
    )
