"""What follows for sure from a page: all hidden worlds of small conferences, sorted by whole pages."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from studies.privacy.worlds import (
    Known,
    Said,
    Small,
    conferences,
    example,
    hidden_scores,
    known,
    pages,
    readers,
    scope_of,
    solved,
    worlds,
)
from studies.privacy.worlds_of_runs import Found, drawn, followed, run_worlds
from unround.disclosure.view import encoded, view

SMALL = Small(
    (
        Said({0: 1, 3: 1, 4: 1}, (3, 0, 4)),
        Said({0: 1, 3: 1, 4: 1}, (4, 0, 3)),
        Said({1: 1}, ()),
    ),
    frozenset({0, 1}),
    frozenset({2}),
    3,
    "refuse",
    20.0,
)


def whole_pages(small: Small, found: list[tuple[Said, ...]], *, stars: bool = True) -> list[bytes]:
    """The area chair's page in each world, to the last byte."""
    scope = replace(scope_of(small.papers), stars=stars)
    return [encoded(view(solved(small, [world]), scope)) for world in found]


@pytest.mark.parametrize("stars", [True, False])
@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_no_hidden_score_follows_where_two_papers_push_on_either_side(policy, stars):
    small = replace(SMALL, policy=policy)
    found = worlds(small)
    assert found is not None
    shown = whole_pages(small, found, stars=stars)
    hidden = hidden_scores(small, found, small.papers)
    assert known(hidden, shown) == Known(sure=0, open=hidden.size, pages=2)
    assert readers(small, found)["exact"].sure > hidden.size // 3


def test_the_order_is_all_that_differs_between_pages():
    """Issues, λ and the rest of a page are the same in worlds with one order of papers."""
    for small, found in conferences(3, "scores", 3):
        some = found[::37]
        orders = pages(small.papers, solved(small, some), len(some))
        shown = whole_pages(small, some)
        assert len(set(zip(orders, shown, strict=True))) == len(set(orders)) == len(set(shown))


@pytest.mark.slow
def test_pages_of_a_run_that_chose_lambda_differ_in_nothing_but_the_order():
    """λ changes with hidden scores; under `order` the page does not say so."""
    luck, by_order, by_digit = random.Random(2), Found(), Found()
    for policy in ("scores", "rankings", "refuse", "scores", "rankings"):
        found = run_worlds(drawn(luck, 3, policy))
        assert len({world.rest for world in found}) == 1
        by_order += followed(found, [world.order for world in found])
        by_digit += followed(found, [(world.order, world.digit) for world in found])
    assert by_order.certain < by_digit.certain
    assert by_order.narrowed < by_digit.narrowed


def test_what_a_chain_of_hidden_papers_tells_is_counted():
    """★ > A > ★ and ★ > A > ★ > ★: A below B tells that the last ★ is low. The docs say so."""
    small = example()
    found = worlds(small)
    assert found is not None
    answers = readers(small, found)
    assert 0 < answers["page"].sure < answers["page"].open // 5
    assert answers["page"].sure < answers["who reviews"].sure < answers["exact"].sure
