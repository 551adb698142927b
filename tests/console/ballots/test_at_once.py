"""Saves that arrive at once: one counts, and a save that is sent twice is saved once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from tests.console.ballots.conftest import Polling

AT_ONCE = 6


def test_of_many_saves_at_once_one_counts(polling: Polling):
    tabs = [polling.reviewer() for _ in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda tab: tab.put({"groups": [["7"]]}, 0), tabs))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (AT_ONCE - 1)
    assert {answer.json()["current"]["version"] for answer in answers if answer.is_error} == {1}


def test_a_save_that_is_sent_many_times_at_once_is_one_version(polling: Polling):
    tabs = [polling.reviewer() for _ in range(AT_ONCE)]
    body = {"save_id": str(uuid4()), "base_version": 0, "content": {"groups": [["7"]]}}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda tab: tab.request("PUT", "/api/ballot", json=body), tabs))
    assert {(answer.status_code, answer.json()["version"]) for answer in answers} == {(200, 1)}
    assert len(tabs[0].get("/api/ballot/versions").json()) == 1
