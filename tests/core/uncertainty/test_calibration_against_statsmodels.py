"""Calibration beside statsmodels' MixedLM: variances, effects and mean of one crossed design."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.mixed_linear_model import MixedLM

import unround
from unround.lab.catalogue.conferences import unruly


@pytest.fixture(scope="module")
def both():
    """Our calibration and theirs of 24 papers with four reviews each."""
    sample = unruly(2, papers=24, noise=0.6, offset=0.8, quality=(4.0, 6.0))
    given = sample.conference
    reviews = given.reviews.to_pandas()
    # Crossed effects are written as variance components of one group that holds everything.
    reviews["all"] = 1
    model = MixedLM.from_formula(
        "score ~ 1",
        groups="all",
        vc_formula={"paper": "0 + C(paper)", "reviewer": "0 + C(reviewer)"},
        data=reviews.astype({"score": float}),
    )
    theirs = model.fit(reml=True)
    return unround.calibrate(given.reviews, scale=given.scale), theirs


def of_component(theirs, name):
    """Their predictions of one component, by ascending id."""
    found = theirs.random_effects[1]
    mine = found[[label.startswith(f"{name}[") for label in found.index]]
    order = [int(label.partition("C(")[2].partition("[")[2].rstrip("]")) for label in mine.index]
    return pd.Series(mine.to_numpy(), index=order).sort_index().to_numpy()


def test_variances_are_those_of_statsmodels(both):
    ours, theirs = both
    names = theirs.model.exog_vc.names
    by_name = dict(zip(names, theirs.vcomp, strict=True))
    assert ours.variances["variance"].to_list() == pytest.approx(
        [by_name["paper"], by_name["reviewer"], theirs.scale], rel=2e-3
    )


def test_effects_are_those_of_statsmodels(both):
    ours, theirs = both
    mean = float(theirs.fe_params.iloc[0])
    papers = ours.papers.sort("paper")["calibrated"].to_numpy()
    np.testing.assert_allclose(papers, mean + of_component(theirs, "paper"), atol=2e-3)
    reviewers = ours.reviewers.sort("reviewer")["effect"].to_numpy()
    np.testing.assert_allclose(reviewers, of_component(theirs, "reviewer"), atol=2e-3)
