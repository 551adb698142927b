"""Reference figures that depend on the last bit of numbers, not on the method: where, and by how much.

They are the λ chosen between equal errors, and the ℓ2 error of ICLR 2017. That all others are the
published ones is tested in `tests/lab/test_references.py`.
"""

import os
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import polars as pl
import pytest

import unround
from unround.metrics import kendall_error, l2_error, tie_grid, tie_share

pytestmark = pytest.mark.slow

TRIALS = range(20)
ICLR = os.environ.get("UNROUND_ICLR_2017")
needs_iclr = pytest.mark.skipif(
    not ICLR, reason="UNROUND_ICLR_2017 does not give the path of the ICLR 2017 scores"
)


@dataclass(frozen=True)
class Row:
    """A setting of the paper's experiments."""

    name: str
    setting: dict = field(default_factory=dict)
    epsilon: float = 0.05

    def __hash__(self):
        return hash(self.name)


SYNTHETIC = (
    Row("default"),
    Row("σ=0.1", {"noise": 0.1}),
    Row("σ=1.0", {"noise": 1.0}),
    Row("k=2", {"papers_per_reviewer": 2}),
    Row("k=6", {"papers_per_reviewer": 6}),
    Row("μ=2", {"reviews_per_paper": 2}),
    Row("μ=6", {"reviews_per_paper": 6}),
    Row("ε=0.01", epsilon=0.01),
    Row("ε=0.1", epsilon=0.1),
)
ICLR_2017 = (
    Row("ICLR k=2", {"papers_per_reviewer": 2}),
    Row("ICLR k=3", {"papers_per_reviewer": 3}),
    Row("ICLR k=6", {"papers_per_reviewer": 6}),
    Row("ICLR k=6 ε=0.1", {"papers_per_reviewer": 6}, epsilon=0.1),
)
# ℓ2 errors of the reference; those of exact scores are smaller.
REFERENCE_L2 = {
    "ICLR k=2": 19.696,
    "ICLR k=3": 17.798,
    "ICLR k=6": 13.240,
    "ICLR k=6 ε=0.1": 13.467,
}
ROWS = {row.name: row for row in (*SYNTHETIC, *ICLR_2017)}
every_row = pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=needs_iclr if row in ICLR_2017 else ()) for row in ROWS.values()],
    ids=lambda row: row.name,
)


@cache
def iclr_scores():
    """The first three reviews of the first 426 papers, in the order of the file."""
    papers = pl.read_csv(ICLR).group_by("split", "paper_id", maintain_order=True)
    table = papers.agg(pl.col("score").sort_by("review_index").head(3))
    return table["score"].to_list()[:426]


@cache
def drawn(row, trial):
    if row in ICLR_2017:
        return unround.simulate.coarsened(
            iclr_scores(), seed=trial, draw="published", **row.setting
        )
    return unround.simulate.thurstone(seed=trial, draw="published", **row.setting)


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


@cache
def chosen(row, trial, reference):
    """The validated λ, by the reference's sum or by the paper's own rule for ties."""
    loss = None if reference else kendall_error
    conference = drawn(row, trial)
    return unround.select_lambda(
        conference.reviews, epsilon=row.epsilon, scale=conference.scale, loss=loss
    )


@cache
def proposed(row, trial, reference):
    """The scores at that λ."""
    conference = drawn(row, trial)
    result = unround.dequantize(
        conference.reviews,
        conference.rankings,
        lam=chosen(row, trial, reference).lam,
        epsilon=row.epsilon,
        scale=conference.scale,
    )
    return result.scores["dequantized"].to_numpy()


def l2(row, truth, scores):
    """The ℓ2 error; for ICLR 2017 after going back to the original integers."""
    return l2_error(truth, np.rint(2.0 * scores - 0.5) if row in ICLR_2017 else scores)


def summary(row):
    """Kendall-tau error, its standard error, ℓ2 error and ties in percent, by the paper's own rule."""
    figures = []
    for trial in TRIALS:
        truth, scores = drawn(row, trial).truth, proposed(row, trial, reference=False)
        figures.append(
            (kendall_error(truth, scores), l2(row, truth, scores), 100.0 * tie_share(scores))
        )
    kendall, distance, ties = np.array(figures).T
    return kendall.mean(), kendall.std(ddof=1) / len(TRIALS) ** 0.5, distance.mean(), ties.mean()


def assert_prints_as(figures, expected, row):
    """Equal to the printed digits, one unit of the last one allowed."""
    kendall, error, distance, ties = figures
    assert kendall == pytest.approx(expected[0], rel=0, abs=1e-5)
    assert error == pytest.approx(expected[1], rel=0, abs=1e-5)
    assert distance == pytest.approx(expected[2], rel=0, abs=1e-3 if row in ICLR_2017 else 1e-4)
    assert ties == pytest.approx(expected[3], rel=0, abs=0.0051)


def in_12_digits(lam: float) -> float:
    """As in the grid, which is the same on every processor."""
    return float(f"{lam:.12g}")


# Trials in which two λ tie exactly: the last bit of the reference's sum prefers the larger one.
TIED = (
    pytest.param("σ=0.1", 16, 4.4816890703380645, 54.598150033144236),
    pytest.param("μ=6", 4, 90.01713130052181, 115.58428452718766),
    pytest.param("ε=0.01", 19, 314.1906602856942, 3827.6258214399063),
    pytest.param("ICLR k=6 ε=0.1", 2, 20.085536923187668, 33.11545195869231, marks=needs_iclr),
)


@pytest.mark.parametrize(("name", "trial", "smaller", "larger"), TIED)
def test_lambdas_of_equal_error_go_to_the_smaller_as_the_paper_says(name, trial, smaller, larger):
    row = ROWS[name]
    ours, theirs = chosen(row, trial, reference=False), chosen(row, trial, reference=True)
    assert ours.lam == in_12_digits(smaller)
    assert theirs.lam == in_12_digits(larger)
    error = dict(ours.curve.iter_rows())
    assert error[ours.lam] == error[theirs.lam] == min(error.values())


@pytest.mark.parametrize("trial", TRIALS)
def test_the_default_loss_adds_up_as_the_reference_does(trial):
    conference = drawn(ROWS["σ=0.1"], trial)
    written_out = unround.select_lambda(conference.reviews, loss=two_term_error)
    assert unround.select_lambda(conference.reviews).curve.equals(written_out.curve)


@every_row
def test_the_reference_decides_otherwise_only_in_those_trials(row):
    differ = [
        trial
        for trial in TRIALS
        if chosen(row, trial, reference=False).lam != chosen(row, trial, reference=True).lam
    ]
    assert differ == [case.values[1] for case in TIED if case.values[0] == row.name]


@pytest.mark.parametrize(
    ("name", "expected", "median"),
    [
        ("σ=0.1", (0.03292, 0.00091, 4.3043, 1.53), 29.5),
        ("μ=6", (0.03890, 0.00045, 5.3127, 0.46), 48.6),
        ("ε=0.01", (0.03934, 0.00045, 4.4601, 1.13), 244.7),
        pytest.param("ICLR k=6 ε=0.1", (0.00974, 0.00029, 13.234, 0.59), 132.0, marks=needs_iclr),
    ],
)
def test_rows_with_such_a_tie_by_the_papers_own_rule(name, expected, median):
    row = ROWS[name]
    assert_prints_as(summary(row), expected, row)
    lams = [chosen(row, trial, reference=False).lam for trial in TRIALS]
    assert np.median(lams) == pytest.approx(median, rel=0, abs=0.051)


@needs_iclr
@pytest.mark.parametrize("row", ICLR_2017, ids=lambda row: row.name)
def test_reference_l2_of_iclr_depends_on_noise_in_scores_that_did_not_move(row):
    """A score that nothing moved is exactly z, and 2z − 1/2 lies halfway between 2z − 1 and 2z.

    The paper takes [z, z + 1/2) to 2z, and so do exact scores. Noise in the last bit takes some to
    2z − 1: the reference is one of many figures that noise can give.
    """
    right, wrong = [], []
    for trial in TRIALS:
        conference, scores = drawn(row, trial), proposed(row, trial, reference=True)
        unmoved = scores == conference.reviews["score"].to_numpy()
        off = (np.rint(2.0 * scores - 0.5) - conference.truth) ** 2
        assert np.all(np.rint(2.0 * scores - 0.5)[unmoved] == 2.0 * scores[unmoved])
        right.append(np.sqrt(off[~unmoved].sum()))
        wrong.append(np.sqrt(off[~unmoved].sum() + unmoved.sum()))
    assert np.mean(right) <= REFERENCE_L2[row.name] <= np.mean(wrong)


@needs_iclr
def test_iclr_2017_keeps_three_reviews_of_426_papers():
    """43 reviews are left out: 40 fourth and fifth ones, and the three of the last paper."""
    table = iclr_scores()
    assert (len(table), {len(scores) for scores in table}) == (426, {3})
    counts = pl.read_csv(ICLR).group_by("split", "paper_id", maintain_order=True).len()["len"]
    assert int(counts.sum()) - 3 * 426 == 43
    assert sum(count - 3 for count in counts) == 40
