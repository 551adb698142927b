"""Quantization validation: its curve, its choice, and the parts that a caller may replace."""

import math
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from unround import InputRefused, Kind, UsageError, dequantize, metrics, select_lambda, simulate

# Powers of e, as the paper's: no restored score falls on the border between two roundings.
GRID = np.exp([-1.0, 1.0, 2.5, 4.0, 5.0]).tolist()
PAPERS_GRID = [float(f"{lam:.12g}") for lam in np.exp(np.arange(40) / 4.0)]


@pytest.fixture(scope="module")
def drawn():
    return simulate.thurstone(papers=24, seed=12)


def curve_of(chosen):
    return dict(chosen.curve.iter_rows())


# The curve


def test_choice_of_the_papers_grid_has_the_smallest_error(drawn):
    chosen = select_lambda(drawn.reviews)
    assert chosen.curve.columns == ["lam", "error"]
    assert chosen.curve["lam"].to_list() == PAPERS_GRID
    errors = curve_of(chosen)
    assert errors[chosen.lam] == min(errors.values())
    assert len(set(errors.values())) > 1
    assert (chosen.decided, chosen.reason) == (True, "")


UNEVEN = [1, 3, 5, 6, 8, 10]


@pytest.mark.parametrize(
    ("scale", "options", "coarser"),
    [
        (None, {"loss": metrics.kendall_error}, lambda score: math.ceil(score / 2)),
        (None, {"coarsening": lambda z: z}, lambda score: score),
        (UNEVEN, {}, lambda score: UNEVEN.index(score) // 2 + 1),
    ],
    ids=["halves", "as they are", "uneven levels by position"],
)
def test_error_is_that_of_coarser_scores_ranked_by_the_finer_ones(scale, options, coarser):
    """Algorithm 2 by hand: make scores coarser, rank by the scores themselves, run, compare."""
    reviews = simulate.thurstone(papers=24, scale=scale, seed=12).reviews
    coarse = reviews.with_columns(pl.col("score").map_elements(coarser, pl.Int64))
    finer = reviews.select("reviewer", "paper", rank=100 - pl.col("score"))
    chosen = select_lambda(reviews, scale=scale, grid=GRID, **options)
    for lam, error in curve_of(chosen).items():
        restored = dequantize(coarse, finer, lam=lam).scores["dequantized"]
        assert error == metrics.kendall_error(reviews["score"], restored)


def test_dequantize_uses_the_choice_and_shows_the_curve(drawn):
    result = dequantize(drawn.reviews, drawn.rankings, lam="auto")
    chosen = select_lambda(drawn.reviews)
    assert result.lam == chosen.lam
    assert result.selection.equals(chosen.curve)
    given = dequantize(drawn.reviews, drawn.rankings, lam=chosen.lam)
    assert result.internals.values.tolist() == given.internals.values.tolist()
    assert given.selection is None


def test_rankings_play_no_part(drawn):
    reversed_ranks = drawn.rankings.with_columns(rank=100 - pl.col("rank"))
    scale = range(11)  # stated, so that reversed ranks do not stop the run
    result = dequantize(
        drawn.reviews, reversed_ranks, conflicts="scores", scale=scale, allow_loss=True, lam="auto"
    )
    assert result.selection.equals(select_lambda(drawn.reviews, scale=scale).curve)


def test_curve_is_a_frame_of_the_callers_kind(drawn):
    assert isinstance(select_lambda(drawn.reviews.to_pandas(), grid=GRID).curve, pd.DataFrame)
    assert select_lambda(drawn.reviews.to_arrow(), grid=GRID).curve.column_names == ["lam", "error"]


def test_epsilon_plays_a_part(drawn):
    small, large = (
        select_lambda(drawn.reviews, grid=GRID, epsilon=epsilon) for epsilon in (0.001, 0.2)
    )
    assert not small.curve.equals(large.curve)


def test_progress_is_reported(drawn):
    told = []
    select_lambda(drawn.reviews, grid=GRID, progress=lambda *step: told.append(step))
    assert told == [("validating", done, 5) for done in range(1, 6)]


# Warm and cold starts


@pytest.mark.parametrize("seed", range(3))
def test_warm_start_equals_cold_start(seed):
    """Alone on its grid a λ starts cold; on a whole grid, from the result of its neighbour."""
    reviews = simulate.thurstone(papers=24, seed=seed).reviews
    warm = curve_of(select_lambda(reviews, grid=PAPERS_GRID[::5]))
    cold = {lam: curve_of(select_lambda(reviews, grid=[lam]))[lam] for lam in warm}
    assert warm == cold


# Ties and grids


def test_ties_go_to_the_smallest_lambda(drawn):
    chosen = select_lambda(drawn.reviews, grid=GRID, loss=lambda truth, restored: 1.0)
    assert chosen.lam == GRID[0]
    flat = iter([3.0, 1.0, 1.0, 2.0, 3.0])  # from the largest λ down
    chosen = select_lambda(drawn.reviews, grid=GRID, loss=lambda truth, restored: next(flat))
    assert chosen.curve["error"].to_list() == [3.0, 2.0, 1.0, 1.0, 3.0]
    assert chosen.lam == GRID[2]


UNDECIDED = {
    "few reviews": ([1, 2, 3, 4], "4 reviews are too few"),
    "one score": ([5] * 40, "equally well"),
    "one review a paper": ([1, 2, 3, 4, 5, 6, 7, 8] * 5, "equally well"),
}


@pytest.mark.parametrize("case", UNDECIDED)
@pytest.mark.parametrize("lam", ["auto", "auto+"])
def test_where_nothing_decides_lambda_scores_stay_and_it_is_said(case, lam):
    scores, reason = UNDECIDED[case]
    papers = (
        range(len(scores)) if case == "one review a paper" else [n // 2 for n in range(len(scores))]
    )
    reviews = pl.DataFrame({"reviewer": range(len(scores)), "paper": papers, "score": scores})
    result = dequantize(reviews, lam=lam, scale=range(1, 11))
    assert result.lam == math.inf
    assert result.scores["dequantized"].to_list() == scores
    (issue,) = result.issues
    assert issue.kind is Kind.UNDECIDED
    assert reason in issue.message
    assert "∞" in issue.action
    assert "undecided" in repr(result)
    chosen = select_lambda(reviews, scale=range(1, 11))
    assert (chosen.lam, chosen.decided) == (math.inf, False)
    assert reason in chosen.reason


def test_a_grid_of_one_lambda_leaves_nothing_to_decide(drawn):
    chosen = select_lambda(drawn.reviews.head(4), grid=[3.0])
    assert (chosen.lam, chosen.decided) == (3.0, True)


def test_grid_is_sorted_and_each_value_tried_once(drawn):
    shuffled = select_lambda(drawn.reviews, grid=[*GRID[::-1], math.inf, *GRID[1:3]])
    in_order = select_lambda(drawn.reviews, grid=np.array([*GRID, math.inf]))
    assert shuffled.curve["lam"].to_list() == [*GRID, math.inf]
    assert shuffled.curve.equals(in_order.curve)


# Coarsening and loss


def test_coarsening_sees_the_values_of_the_whole_scale():
    seen = []
    reviews = pl.DataFrame({"reviewer": [1, 2], "paper": [1, 1], "score": ["A", "C"]})
    select_lambda(reviews, grid=[1.0], coarsening=lambda z: seen.append(z.tolist()) or z)
    assert seen == [[1.0, 2.0, 3.0]]


def test_own_loss_sees_scores_and_restored_scores(drawn):
    seen = []

    def loss(truth, restored):
        seen.append((truth.copy(), restored.copy()))
        return metrics.l2_error(truth, restored)

    chosen = select_lambda(drawn.reviews, grid=[1.0, 5.0], loss=loss)
    assert len(seen) == 2
    for truth, restored in seen:
        assert sorted(truth) == sorted(drawn.reviews["score"].to_list())
        assert restored.shape == truth.shape
    assert chosen.lam == min(curve_of(chosen), key=curve_of(chosen).get)


# Bad arguments


NO_NUMBERS = "grid must be a list of numbers above 0"
NOT_ONE_EACH = "coarsening must return one finite number for each level"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"grid": []}, "grid must hold at least one value"),
        ({"grid": [1.0, 0.0]}, NO_NUMBERS),
        ({"grid": [-1.0]}, NO_NUMBERS),
        ({"grid": [math.nan]}, NO_NUMBERS),
        ({"grid": ["1"]}, NO_NUMBERS),
        ({"grid": [True]}, NO_NUMBERS),
        ({"coarsening": lambda z: z[:2]}, NOT_ONE_EACH),
        ({"coarsening": lambda z: np.full_like(z, np.nan)}, NOT_ONE_EACH),
        ({"coarsening": lambda z: np.full_like(z, np.inf)}, NOT_ONE_EACH),
        ({"coarsening": lambda z: -z}, "must not reverse the order of levels"),
        ({"loss": lambda truth, restored: math.nan}, "loss must return a number, not nan"),
        ({"epsilon": 0}, "epsilon must be a number above 0"),
    ],
)
def test_options_that_cannot_be_are_refused(drawn, options, words):
    with pytest.raises(UsageError, match=words):
        select_lambda(drawn.reviews, **{"grid": [1.0], **options})


def test_coarsening_cannot_change_the_scale(drawn):
    def spoil(values):
        values += 1.0
        return values

    reviews = drawn.reviews
    assert select_lambda(reviews, grid=GRID, coarsening=spoil).curve.equals(
        select_lambda(reviews, grid=GRID, coarsening=lambda z: z + 1.0).curve
    )


def test_bad_reviews_are_refused(drawn):
    with pytest.raises(InputRefused, match="reviews has no column 'score'"):
        select_lambda(drawn.reviews.drop("score"))


@pytest.mark.parametrize("lam", ["auto", "auto+"])
@pytest.mark.parametrize("factor", [10, 0.1, 3])
def test_the_unit_of_the_scale_does_not_matter(lam, factor):
    """λ, ties and percentiles of scores 0, 10, .., 100 are those of 0, 1, .., 10."""
    made = simulate.thurstone(40, scale=range(11), seed=3)
    levels = [round(level * factor, 9) for level in range(11)]
    scaled = made.reviews.with_columns(score=(pl.col("score") * factor).round(9))
    here = dequantize(made.reviews, made.rankings, scale=range(11), lam=lam)
    there = dequantize(scaled, made.rankings, scale=levels, lam=lam)
    assert there.lam == here.lam
    assert there.ties == here.ties
    assert there.scores["percentile"].to_list() == here.scores["percentile"].to_list()


ON_ANY_PROCESSOR = """
import unround
from unround.selection.validation import exponential_grid

drawn = unround.simulate.thurstone(papers=24, seed=12)
result = unround.dequantize(drawn.reviews, drawn.rankings)
calibrated = unround.calibrate(result)
print(result.lam, exponential_grid(157, 16).tolist(), calibrated.variances)
for table in (result.selection, result.scores, calibrated.papers):
    print(table.write_csv())
"""


@pytest.mark.slow
def test_the_same_bytes_on_processors_with_fewer_instructions():
    """NumPy's exponential and logarithm have other last digits there."""
    features = np.show_config(mode="dicts")["SIMD Extensions"].get("found")
    if not features:
        pytest.skip("NumPy uses no other instructions here than anywhere")
    printed = [
        subprocess.run(
            [sys.executable, "-c", ON_ANY_PROCESSOR],
            env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(disabled)},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        for disabled in ([], features)
    ]
    assert printed[0] == printed[1]
