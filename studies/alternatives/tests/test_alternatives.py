"""Centred scores and z-scores are what a spreadsheet gives, and the study runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studies.alternatives import centred, z_scores
from unround.lab.plan import read_folder
from unround.lab.registry import find_method

SCORES = np.array([2.0, 4.0, 6.0, 5.0, 5.0, 9.0])
REVIEWER = np.array([0, 0, 0, 1, 1, 2])


def test_centred_scores_of_each_reviewer_add_up_to_nothing():
    assert centred(SCORES, REVIEWER).tolist() == [-2.0, 0.0, 2.0, 0.0, 0.0, 0.0]


def test_z_scores_have_deviation_one_unless_all_scores_are_equal():
    size = np.sqrt(8 / 3)
    expected = [-2 / size, 0.0, 2 / size, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(z_scores(SCORES, REVIEWER), expected)


def test_every_method_of_the_study_is_there():
    (study,) = read_folder(Path(__file__).parents[1]).studies
    assert [find_method(name).label for name in study.methods]
