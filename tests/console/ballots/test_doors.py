"""Links and sessions of reviewers: forged, guessed, expired, revoked, and of ballots that are gone."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from sqlalchemy import select, update

from tests.console.ballots.conftest import Polling
from unround.console.storage.orm import LinkRow, SessionRow, now

BODY = {"save_id": str(uuid4()), "base_version": 0, "content": {"groups": [["7"]]}}


def test_secrets_of_reviewers_are_kept_only_as_hashes(polling: Polling):
    ann = polling.reviewer()
    secret = polling.links["ann@example.org"].rsplit("#", 1)[1]
    held = {secret, ann.cookies[polling.world.console.settings.cookie]}
    with polling.world.console.database.reading() as session:
        for table in (LinkRow, SessionRow):
            for row in session.execute(select(table.__table__)):
                assert not held & set(map(str, row))


def test_expired_and_revoked_links_open_nothing(polling: Polling):
    ann, database = polling.reviewer(), polling.world.console.database
    me = ann.get("/api/me").json()
    assert (me["role"], me["name"]) == ("reviewer", "Ann Ex")
    past = update(LinkRow).where(LinkRow.ballot.is_not(None)).values(expires=now() - timedelta(1))
    with database.writing() as session:
        session.execute(past)
    assert ann.get("/api/ballot").status_code == 401
    assert ann.request("PUT", "/api/ballot", json=BODY).status_code == 401
    secret = polling.links["ann@example.org"].rsplit("#", 1)[1]
    assert polling.world.nobody().post("/api/enter", json={"secret": secret}).status_code == 401


def test_a_deleted_collection_takes_its_sessions_with_it(polling: Polling):
    ann = polling.reviewer()
    polling.world.chair.delete(polling.path)
    assert ann.get("/api/ballot").status_code == 401
    assert ann.get("/api/me").status_code == 401
