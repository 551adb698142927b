"""Audits of a run: right, measured on a part, and never waited for."""

from __future__ import annotations

import sys
from typing import Any

import polars as pl
import pytest

from tests.console.conftest import World
from tests.console.hosting import waited_for
from tests.console.sample import CHAIRS
from unround.console.jobs import audits
from unround.console.jobs.supervisor import WORKER
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.scope import DISCLOSURES


def test_chairs_measure_what_area_chairs_could_find_out(world: World):
    audit: dict[str, Any] = world.chair.audit(world.run, "privacy")
    assert [level["disclosure"] for level in audit["levels"]] == list(DISCLOSURES)
    by_level = {level["disclosure"]: level for level in audit["levels"]}
    assert by_level["scoped"]["certain"] == 0
    assert by_level["order"]["certain"] <= by_level["exact"]["certain"]
    assert audit["audited"] == audit["area_chairs"] == len(CHAIRS)


def test_without_area_chairs_there_is_nothing_to_measure(world: World, conference: str):
    run = world.stored_run(conference)
    path = f"/api/runs/{run}/privacy"
    assert world.chair.get(path).json() == {"audit": None}
    refused = waited_for(lambda: (one := world.chair.get(path)).status_code == 409 and one)
    assert refused.json()["detail"] == audits.NO_PAPERS
    assert world.chair.get(path).json() == {"audit": None}  # it is measured again


def test_chairs_see_what_single_reviewers_could_do_at_their_line(world: World):
    audit = world.chair.audit(world.run, "influence")
    reviews = world.sample.reviews
    assert audit["tried"] == audit["reviewers"] == reviews["reviewer"].n_unique()
    assert {one["reviewer"] for one in audit["worst"]} <= set(reviews["reviewer"])
    means = [one["move"] for one in audit["worst"]]
    assert means == sorted(means, reverse=True)
    assert len(means) == audits.SHOWN
    path = f"/api/runs/{world.run}"
    in_each = {"amount": 20, "per_track": True}  # one track of 18
    lines = [({"amount": 2}, 2), ({"amount": 50, "percent": True}, 9), (in_each, 18), (None, 5)]
    for line, above in lines:
        assert world.chair.patch(path, json={"line": line}).status_code == 200
        assert world.chair.audit(world.run, "influence")["above"] == above, line


@pytest.mark.parametrize("name", ["privacy", "influence"])
def test_no_request_waits_for_an_audit_and_the_server_measures_none(
    world: World, tmp_path, name: str
):
    """A second request starts no second one."""
    supervisor, path = world.console.supervisor, f"/api/runs/{world.hidden}/{name}"
    waits = f"import os, time\nopen({str(tmp_path / 'begun')!r}, 'a').write('x')\n"
    waits += f"while not os.path.exists({str(tmp_path / 'go')!r}): time.sleep(0.02)\n"
    worker = "from unround.console.jobs import worker; worker.main()"
    supervisor.worker = (sys.executable, "-c", waits + worker)
    try:
        for _ in range(2):
            assert world.chair.get(path).json() == {"audit": None}
        assert waited_for((tmp_path / "begun").exists)
    finally:
        supervisor.worker = WORKER
        (tmp_path / "go").touch()
    audit = world.chair.audit(world.hidden, name)
    assert audit == world.chair.audit(world.run, name)
    assert (tmp_path / "begun").read_text() == "x"


@pytest.mark.parametrize(("papers", "tried"), [(5, 40), (100, 7), (3_000, 4)])
def test_fewer_area_chairs_are_tried_where_their_pages_are_long(papers, tried):
    one = AreaChair("Ann", frozenset(map(str, range(papers))))
    assert audits.area_chairs_to_sample([one] * 200, 4.0) == tried


@pytest.mark.parametrize(("load", "tried"), [(2, 400), (4, 400), (5, 320), (16, 100), (100, 20)])
def test_fewer_reviewers_are_tried_where_they_have_more_reviews(load, tried):
    reviews = pl.DataFrame({"reviewer": [reviewer for reviewer in range(3) for _ in range(load)]})
    assert audits.reviewers_to_sample(reviews) == tried
