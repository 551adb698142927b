"""Reviewers vote while the server is killed: what was confirmed is there, once."""

from __future__ import annotations

import pytest
from benchmarks.ballots.poll import poll


@pytest.mark.slow
def test_every_confirmed_save_survives_a_kill(new_settings, kind: str):
    if kind == "postgresql":
        pytest.skip("`make load-ballots` kills servers on both databases")
    settings = new_settings()
    held = poll(
        settings.data,
        settings.database,
        reviewers=20,
        papers=4,
        seconds=2.0,
        pause=0.5,
        kills=1,
    )
    assert (held.lost, held.doubled, held.refused) == (0, 0, [])
    assert (held.submitted, held.confirmed) == (20, 80)
    assert held.kills == 1
    assert held.sent_again > 0
