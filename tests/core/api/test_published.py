"""Reference figures that depend on the last bit of numbers, not on the method: where, and by how much.

They are the λ chosen between equal errors, and the ℓ2 error of ICLR 2017. That all others are the
published ones is tested in `tests/lab/test_references.py`.
"""

from functools import cache

import numpy as np
import polars as pl
import pytest

import unround
from tests.lab.conftest import ICLR, needs_iclr
from unround.metrics import kendall_error, l2_error, tie_grid, tie_share

pytestmark = pytest.mark.slow

TRIALS = range(20)
# The settings of the paper's experiments.
SYNTHETIC = {
    "default": {},
    "σ=0.1": {"noise": 0.1},
    "σ=1.0": {"noise": 1.0},
    "k=2": {"papers_per_reviewer": 2},
    "k=6": {"papers_per_reviewer": 6},
    "μ=2": {"reviews_per_paper": 2},
    "μ=6": {"reviews_per_paper": 6},
    "ε=0.01": {},
    "ε=0.1": {},
}
ICLR_2017 = {
    "ICLR k=2": {"papers_per_reviewer": 2},
    "ICLR k=3": {"papers_per_reviewer": 3},
    "ICLR k=6": {"papers_per_reviewer": 6},
    "ICLR k=6 ε=0.1": {"papers_per_reviewer": 6},
}
EPSILON = {"ε=0.01": 0.01, "ε=0.1": 0.1, "ICLR k=6 ε=0.1": 0.1}  # of others 0.05
# ℓ2 errors of the reference; those of exact scores are smaller.
REFERENCE_L2 = {
    "ICLR k=2": 19.696,
    "ICLR k=3": 17.798,
    "ICLR k=6": 13.240,
    "ICLR k=6 ε=0.1": 13.467,
}


@cache
def iclr_scores():
    """The first three reviews of the first 426 papers, in the order of the file."""
    papers = pl.read_csv(ICLR).group_by("split", "paper_id", maintain_order=True)
    table = papers.agg(pl.col("score").sort_by("review_index").head(3))
    return table["score"].to_list()[:426]


@cache
def drawn(name, trial):
    if name in ICLR_2017:
        return unround.simulate.coarsened(
            iclr_scores(), seed=trial, draw="published", **ICLR_2017[name]
        )
    return unround.simulate.thurstone(seed=trial, draw="published", **SYNTHETIC[name])


def two_term_error(truth, estimate):
    """The Kendall-tau error as the reference results add it up: wrong/N + tied/2N.

    Equal to (wrong + tied/2)/N but for the last bit, which then decides between values of λ whose
    errors are equal.
    """
    grid = tie_grid(estimate)
    in_both = grid * (truth.max() + 1.0) + truth  # truth holds small non-negative integers
    tied = _tied_pairs(grid) - _tied_pairs(in_both)
    untied = truth.size * (truth.size - 1) // 2 - _tied_pairs(truth)
    wrong = round(kendall_error(truth, estimate) * untied - tied / 2)
    return wrong / untied + 0.5 * tied / untied


def _tied_pairs(values):
    _, sizes = np.unique(values, return_counts=True)
    return int((sizes * (sizes - 1) // 2).sum())


def options(name, trial):
    return {"epsilon": EPSILON.get(name, 0.05), "scale": drawn(name, trial).scale}


@cache
def chosen(name, trial, reference):
    """The validated λ, by the reference's sum or by the paper's own rule for ties."""
    loss = None if reference else kendall_error
    reviews = drawn(name, trial).reviews
    return unround.select_lambda(reviews, loss=loss, **options(name, trial))


def proposed(name, trial, reference):
    """The scores at that λ."""
    conference, lam = drawn(name, trial), chosen(name, trial, reference).lam
    result = unround.dequantize(
        conference.reviews, conference.rankings, lam=lam, **options(name, trial)
    )
    return result.scores["dequantized"].to_numpy()


# Trials in which two λ tie exactly: the last bit of the reference's sum prefers the larger one.
TIED = (
    pytest.param("σ=0.1", 16, 4.4816890703380645, 54.598150033144236),
    pytest.param("μ=6", 4, 90.01713130052181, 115.58428452718766),
    pytest.param("ε=0.01", 19, 314.1906602856942, 3827.6258214399063),
    pytest.param("ICLR k=6 ε=0.1", 2, 20.085536923187668, 33.11545195869231, marks=needs_iclr),
)


@pytest.mark.parametrize(("name", "trial", "smaller", "larger"), TIED)
def test_lambdas_of_equal_error_go_to_the_smaller_as_the_paper_says(name, trial, smaller, larger):
    ours, theirs = chosen(name, trial, reference=False), chosen(name, trial, reference=True)
    assert (ours.lam, theirs.lam) == pytest.approx((smaller, larger), rel=1e-11)
    error = dict(ours.curve.iter_rows())
    assert error[ours.lam] == error[theirs.lam] == min(error.values())


@pytest.mark.parametrize("trial", TRIALS)
def test_the_default_loss_adds_up_as_the_reference_does(trial):
    reviews = drawn("σ=0.1", trial).reviews
    written_out = unround.select_lambda(reviews, loss=two_term_error)
    assert unround.select_lambda(reviews).curve.equals(written_out.curve)


@pytest.mark.parametrize(
    "name", [*SYNTHETIC, *(pytest.param(name, marks=needs_iclr) for name in ICLR_2017)]
)
def test_the_reference_decides_otherwise_only_in_those_trials(name):
    differ = [
        trial
        for trial in TRIALS
        if chosen(name, trial, reference=False).lam != chosen(name, trial, reference=True).lam
    ]
    assert differ == [case.values[1] for case in TIED if case.values[0] == name]


@pytest.mark.parametrize(
    ("name", "kendall", "l2", "ties", "median"),
    [
        ("σ=0.1", 0.03292, 4.3043, 1.53, 29.5),
        ("μ=6", 0.03890, 5.3127, 0.46, 48.6),
        ("ε=0.01", 0.03934, 4.4601, 1.13, 244.7),
        pytest.param("ICLR k=6 ε=0.1", 0.00974, 13.234, 0.59, 132.0, marks=needs_iclr),
    ],
)
def test_rows_with_such_a_tie_by_the_papers_own_rule(name, kendall, l2, ties, median):
    figures = []
    for trial in TRIALS:
        truth, scores = drawn(name, trial).truth, proposed(name, trial, reference=False)
        whole = np.rint(2.0 * scores - 0.5) if name in ICLR_2017 else scores
        figures.append((kendall_error(truth, scores), l2_error(truth, whole), tie_share(scores)))
    means = np.mean(figures, axis=0)
    assert means[0] == pytest.approx(kendall, abs=1e-5)  # one unit of the last digit printed
    assert means[1] == pytest.approx(l2, abs=1e-3 if name in ICLR_2017 else 1e-4)
    assert 100 * means[2] == pytest.approx(ties, abs=0.0051)
    lams = [chosen(name, trial, reference=False).lam for trial in TRIALS]
    assert np.median(lams) == pytest.approx(median, abs=0.051)


@needs_iclr
@pytest.mark.parametrize("name", ICLR_2017)
def test_reference_l2_of_iclr_depends_on_noise_in_scores_that_did_not_move(name):
    """A score that nothing moved is exactly z, and 2z − 1/2 lies halfway between 2z − 1 and 2z.

    The paper takes [z, z + 1/2) to 2z, and so do exact scores. Noise in the last bit takes some to
    2z − 1: the reference is one of many figures that noise can give.
    """
    right, wrong = [], []
    for trial in TRIALS:
        conference, scores = drawn(name, trial), proposed(name, trial, reference=True)
        unmoved = scores == conference.reviews["score"].to_numpy()
        off = (np.rint(2.0 * scores - 0.5) - conference.truth) ** 2
        assert np.all(np.rint(2.0 * scores - 0.5)[unmoved] == 2.0 * scores[unmoved])
        right.append(np.sqrt(off[~unmoved].sum()))
        wrong.append(np.sqrt(off[~unmoved].sum() + unmoved.sum()))
    assert np.mean(right) <= REFERENCE_L2[name] <= np.mean(wrong)
