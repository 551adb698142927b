"""The mixed model against its textbook formulas, computed densely and without any shared code."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import unround
from unround.arrays import group_starts
from unround.lab.catalogue.conferences import unruly
from unround.uncertainty import mixed_model
from unround.uncertainty.calibration import reviewer_effects_p_value
from unround.uncertainty.mixed_model import Design, Equations, Variances, fit, neighbourhood_errors

pytestmark = pytest.mark.slow


def drawn(seed, papers=40, rounds=3, load=4, deviations=(1.5, 0.7, 0.5)):
    """Each round deals all papers out to fresh reviewers, `load` to each."""
    random = np.random.default_rng(seed)
    between, strictness, noise = deviations
    reviewer = np.concatenate(
        [random.permutation(papers) // load + turn * -(-papers // load) for turn in range(rounds)]
    )
    paper = np.tile(np.arange(papers), rounds)
    order = np.lexsort((paper, reviewer))
    paper, reviewer = paper[order], reviewer[order]
    values = (
        5.0
        + between * random.standard_normal(papers)[paper]
        + strictness * random.standard_normal(reviewer.max() + 1)[reviewer]
        + noise * random.standard_normal(paper.size)
    )
    return Design(paper, reviewer, values)


def by_dense_matrices(design, variances):
    """Minus twice the restricted log-likelihood, and the predictions of papers and of reviewers."""
    between, strictness, noise = variances
    on_paper = np.eye(design.per_paper.size)[design.paper]
    by_reviewer = np.eye(design.per_reviewer.size)[design.reviewer]
    part = np.eye(design.parts[0].max() + 1)[design.parts[0]]
    means = part[design.paper]
    covariance = (
        between * on_paper @ on_paper.T
        + strictness * by_reviewer @ by_reviewer.T
        + noise * np.eye(design.values.size)
    )
    inverse = np.linalg.inv(covariance)
    information = means.T @ inverse @ means
    mean = np.linalg.solve(information, means.T @ inverse @ design.values)
    rest = design.values - means @ mean
    deviance = (
        np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + rest @ inverse @ rest
    )
    papers = part @ mean + between * on_paper.T @ inverse @ rest
    return deviance, papers, strictness * by_reviewer.T @ inverse @ rest


@pytest.mark.parametrize("seed", range(4))
def test_calibration_maximises_the_restricted_likelihood_and_predicts_from_it(seed):
    given = unruly(seed, papers=24, noise=0.6, offset=0.8, quality=(4.0, 6.0)).conference
    found = unround.calibrate(given.reviews, scale=given.scale)
    rows = given.reviews.sort("reviewer", "paper")
    paper, reviewer = (
        (rows[name].rank("dense") - 1).cast(int).to_numpy() for name in ("paper", "reviewer")
    )
    design = Design(paper, reviewer, rows["score"].cast(float).to_numpy())
    best = minimize(
        lambda logs: by_dense_matrices(design, np.exp(logs))[0],
        np.log([1.0, 0.3, 0.3]),
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 4000},
    )
    assert found.settled
    variances = found.variances["variance"].to_list()
    np.testing.assert_allclose(variances, np.exp(best.x), rtol=1e-4)
    deviance, papers, reviewers = by_dense_matrices(design, variances)
    assert deviance <= best.fun + 1e-8
    np.testing.assert_allclose(found.papers.sort("paper")["calibrated"], papers, atol=1e-6)
    np.testing.assert_allclose(found.reviewers.sort("reviewer")["effect"], reviewers, atol=1e-6)


@pytest.mark.parametrize("rounds", [1, 3])
def test_effects_and_errors_solve_the_mixed_model_equations(rounds):
    """One round leaves reviewers unconnected: every one is a part with a mean of its own."""
    design, variances = drawn(7, rounds=rounds), Variances(2.0, 0.5, 0.3)
    papers, reviewers = design.per_paper.size, design.per_reviewer.size
    means = np.eye(design.parts[0].max() + 1)[design.parts[0]][design.paper]
    columns = np.hstack([means, np.eye(papers)[design.paper], np.eye(reviewers)[design.reviewer]])
    ridge = np.concatenate(
        [
            np.zeros(means.shape[1]),
            np.full(papers, variances.noise / variances.between),
            np.full(reviewers, variances.noise / variances.strictness),
        ]
    )
    inverse = np.linalg.inv(columns.T @ columns + np.diag(ridge))
    expected = inverse @ (columns.T @ design.values)
    equations = Equations(design, variances)
    found = equations.effects(design.values)
    np.testing.assert_allclose(
        np.concatenate([found.mean, found.paper, found.reviewer]), expected, atol=1e-9
    )
    parts = means.shape[1]
    place = np.hstack(
        [np.eye(parts)[design.parts[0]], np.eye(papers), np.zeros((papers, reviewers))]
    )
    np.testing.assert_allclose(
        equations.paper_errors(), np.diag(place @ inverse @ place.T), atol=1e-10
    )
    np.testing.assert_allclose(
        equations.reviewer_errors(), np.diag(inverse)[parts + papers :], atol=1e-10
    )
    traces = (
        np.diag(inverse)[parts : parts + papers].sum(),
        np.diag(inverse)[parts + papers :].sum(),
    )
    np.testing.assert_allclose(equations.traces(), traces)


def test_the_iterated_solution_is_the_factored_one(monkeypatch):
    design, variances = drawn(3, papers=400), Variances(2.0, 0.5, 0.3)
    factored = Equations(design, variances).effects(design.values)
    monkeypatch.setattr(mixed_model, "MOST_FACTORED", 10)
    iterated = Equations(design, variances)
    assert not iterated.is_small
    np.testing.assert_allclose(iterated.effects(design.values).paper, factored.paper, atol=1e-6)


def test_probes_hardly_change_the_variances(monkeypatch):
    design = drawn(5, papers=2_000, rounds=4)
    exact = fit(design)
    monkeypatch.setattr(mixed_model, "MOST_FACTORED", 10)
    probed = fit(design)
    assert probed.settled
    ours, theirs = probed.variances, exact.variances
    # Probes may move a variance by a small part of its own standard error.
    assert abs(ours.between - theirs.between) < 0.1 * exact.errors[0]
    assert abs(ours.strictness - theirs.strictness) < 0.1 * exact.errors[1]
    assert abs(ours.noise - theirs.noise) < 0.1 * exact.errors[2]


@pytest.mark.parametrize("deviations", [(1.2, 0.7, 0.8), (2.0, 0.2, 0.5), (0.5, 1.0, 1.0)], ids=str)
def test_errors_from_the_neighbourhood_are_within_two_per_cent(deviations):
    design = drawn(11, papers=600, rounds=4)
    variances = Variances(*(deviation**2 for deviation in deviations))
    by_paper = np.argsort(design.paper, kind="stable")
    local = neighbourhood_errors(
        group_starts(design.paper, design.per_paper.size),
        design.reviewer[by_paper],
        group_starts(design.reviewer, design.per_reviewer.size),
        design.paper,
        variances.noise / variances.between,
        variances.noise / variances.strictness,
    )
    exact = Equations(design, variances).paper_errors()
    np.testing.assert_allclose(np.sqrt(local), np.sqrt(exact), rtol=0.02)


def test_reviewers_who_do_not_differ_are_rarely_called_different():
    p_values = [
        reviewer_effects_p_value(drawn(seed, deviations=(1.5, 0.0, 0.5))) for seed in range(300)
    ]
    # 300 trials at level 0.05: 15 expected, 4 standard deviations are 15.
    assert np.sum(np.array(p_values) < 0.05) <= 30
    assert np.sum(np.array(p_values) < 0.5) >= 100


def test_reviewers_who_differ_are_found():
    p_values = [reviewer_effects_p_value(drawn(seed)) for seed in range(40)]
    assert max(p_values) < 0.01
