"""Reviewers who are asked about their slips mend them, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from studies.asking import with_questions
from unround import check
from unround.issues import Kind
from unround.lab.catalogue.conferences import unruly
from unround.lab.plan import read_folder
from unround.simulate import Conference


def _contradictions(conference: Conference) -> int:
    issues = check(conference.reviews, conference.rankings, scale=conference.scale)
    return sum(issue.kind is Kind.CONTRADICTION for issue in issues)


def _wrong(conference: Conference) -> np.ndarray:
    """Which scores are not the nearest level of the opinion."""
    return conference.reviews["score"].to_numpy() != conference.scale.nearest(conference.truth)


def test_without_slips_there_is_nothing_to_ask():
    plain, drawn = unruly(3).conference, with_questions(3, mended=1.0).conference
    assert drawn.reviews.equals(plain.reviews)
    assert drawn.rankings.equals(plain.rankings)


@pytest.mark.parametrize("trial", range(3))
def test_a_slip_in_an_order_is_turned_round_and_scores_stay(trial: int):
    shares = [
        with_questions(trial, swapped=0.3, mended=share).conference for share in (0.0, 0.5, 1.0)
    ]
    counts = [_contradictions(one) for one in shares]
    assert counts[0] > counts[1] > counts[2]
    assert not any(_wrong(one).any() for one in shares)


@pytest.mark.parametrize("trial", range(3))
def test_a_slip_in_a_score_is_put_right_and_the_order_stays(trial: int):
    none, half, all_of_them = (
        with_questions(trial, slipped=0.2, mended=share).conference for share in (0.0, 0.5, 1.0)
    )
    assert _wrong(none).sum() > _wrong(half).sum() > _wrong(all_of_them).sum()
    assert not (_wrong(all_of_them) & ~_wrong(half)).any()  # a larger share mends the same and more
    assert _contradictions(all_of_them) == 0
    assert none.rankings.equals(all_of_them.rankings)


def test_the_plan_asks_at_every_rate():
    plan = read_folder(Path(__file__).parents[1])
    assert {tuple(study.sweep["mended"]) for study in plan.studies} == {(0.0, 0.25, 0.5, 0.75, 1.0)}
    assert {study.data for study in plan.studies} == {"asked"}
