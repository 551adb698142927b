"""The statistical attack: what it counts, and that it finds what exact digits give away."""

from __future__ import annotations

import pytest

import studies.privacy.__main__ as rates
from studies.privacy.guess import Neighbour, guess_rates, judged_neighbours
from unround.audit.privacy.audit import Truth


def test_guesses_count_what_displaced_papers_give_away():
    """A feature of the page that says the truth for half of the neighbours, and nothing for the others."""
    groups = []
    for number in range(20):
        group = []
        for row in range(30):
            same = (row * row + row * number + number // 3) % 5 < 2
            moved = (1 if same else -1) if row % 2 else 0
            given = (float(row % 5), float(number))
            group.append((Neighbour(0, 0, True, given, (float(moved),), moved), same))
        groups.append(group)
    found = guess_rates(groups)
    assert found is not None
    assert found.neighbours == 600
    assert found.picked.before < 0.65 < 0.7 < found.picked.after
    assert 0 < found.picked.low < found.picked.after - found.picked.before < found.picked.high
    assert found.loss.low < found.loss.high < 0
    assert (found.towards.same, found.against.same) == (1.0, 0.0)
    assert 0.2 < found.towards.expected < 0.6
    assert found.towards.neighbours + found.against.neighbours == 300
    assert guess_rates(groups[:1]) is None


@pytest.mark.slow
def test_digits_tell_and_the_order_hardly():
    _, snapshot, chairs = rates.simulated(400, 12)
    truth, picked = Truth(snapshot), {}
    for level in ("order", "exact"):
        pages = [judged_neighbours(snapshot, truth, chair, level) for chair in chairs[:8]]
        found = guess_rates(pages)
        assert found is not None
        picked[level] = found.picked
        assert level == "order" or found.loss.high < 0
    assert picked["order"].before == pytest.approx(picked["exact"].before)
    assert picked["exact"].after - picked["exact"].before > 0.1
    assert picked["exact"].low > 0
    assert abs(picked["order"].after - picked["order"].before) < 0.05
