"""Forgetting a reviewer takes their ballots with all versions, links and sessions."""

from __future__ import annotations

from sqlalchemy import func, select

from tests.console.ballots.conftest import Polling
from tests.console.test_forget import tried
from unround.console.forget import forget_person
from unround.console.storage.orm import BallotRow, BallotVersionRow

ANN, BOB = "ann@example.org", "bob"


def test_a_forgotten_reviewer_has_no_ballot(polling: Polling):
    ann, bob = polling.reviewer(ANN), polling.reviewer(BOB)
    ann.saved({"groups": [["7"], ["12"]]})
    ann.saved({"groups": [["12"], ["7"]]}, submit=True)
    bob.saved({"groups": [["9"]]})
    used = polling.world.chair.made(f"{polling.path}/use", {})
    console = polling.world.console
    counted = [
        select(func.count(BallotRow.id)).where(BallotRow.collection == polling.id),
        select(func.count(BallotVersionRow.version))
        .join(BallotRow, BallotRow.id == BallotVersionRow.ballot)
        .where(BallotRow.collection == polling.id),
    ]
    with tried(polling.world) as session:
        assert [session.scalar(query) for query in counted] == [3, 3]
        # Other collections have ballots of hers too, those of conferences in the bin among them.
        hers = session.scalar(select(func.count(BallotRow.id)).where(BallotRow.reviewer == ANN))
        told = forget_person(session, ["Ann Ex"], console.settings)
        assert told.also_known_as == [ANN]
        assert told.counts["ballots"] == hers
        assert {file["id"] for file in used["files"]} <= set(told.files)
        assert [session.scalar(query) for query in counted] == [2, 1]
    with console.database.writing() as session:
        forget_person(session, ["Ann Ex", ANN], console.settings)
    assert ann.get("/api/ballot").status_code == 401
    assert bob.ballot()["version"] == 1
    assert ANN not in str(polling.detail())
