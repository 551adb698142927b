"""The API keeps to its description, whatever is thrown at it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
)

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.app import openapi_document

ROOT = Path(__file__).parents[3]
CHECKS = (not_a_server_error, content_type_conformance, response_schema_conformance)
WRITTEN = ROOT / "web" / "openapi.json"
DESCRIBED = json.loads(WRITTEN.read_text("utf-8"))  # it takes a second to make it anew
# The door slows down whoever knocks too often.
ALREADY_TESTED = ("/api/enter", "/api/leave")


def test_the_front_end_knows_this_very_description():
    current = WRITTEN.read_text("utf-8") == openapi_document()
    assert current, "web/openapi.json is old, see CONTRIBUTING.md"


SCHEMA = schemathesis.openapi.from_dict(DESCRIBED)
OPERATIONS = [
    found.ok() for found in SCHEMA.get_all_operations() if found.ok().path not in ALREADY_TESTED
]
# What changes what other tests look at is thrown at a conference, a run, .. that is not there.
CONFERENCE = "/api/conferences/{conference}"
PARTS = ("checks", "runs", "area-chairs", "area-chairs/from-run/{run}", "area-chairs/undo")
PARTS += ("links/all", "collections")
ELSEWHERE = {
    **{f"POST {CONFERENCE}/{part}": "conference" for part in PARTS},
    f"PATCH {CONFERENCE}": "conference",
    f"DELETE {CONFERENCE}": "conference",
    "DELETE /api/runs/{run}": "run",
    "DELETE /api/collections/{collection}": "collection",
}


AS_BEFORE = {"name": "other run", "shared": False, "archived": False, "line": None}


def test_every_operation_is_tried():
    assert len(OPERATIONS) + len(ALREADY_TESTED) == sum(map(len, DESCRIBED["paths"].values()))


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_no_request_breaks_the_server(operation, mode, world: World):
    """Random ids are never there: real ones take their place, so that routes are really reached."""
    known = {"conference": world.conference, "run": world.run, "name": "run.json"}
    known["link"] = world.new_link(CHAIRS[2])["id"]
    known |= {"collection": world.collection, "ballot": min(world.ballots.values())}
    if operation.label == "PATCH /api/runs/{run}":
        known["run"] = world.hidden
    if operation.label in ELSEWHERE:
        known[ELSEWHERE[operation.label]] = "0" * 32
    person = world.reviewer() if operation.path.startswith("/api/ballot") else world.chair

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=6,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def thrown(case: schemathesis.Case) -> None:
        for name in set(known) & set(case.path_parameters or {}):
            case.path_parameters[name] = known[name]
        response = case.call(
            base_url=world.console.settings.url,
            headers={"X-Unround": "1"},
            cookies=dict(person.cookies),
        )
        assert response.status_code != 401, "the request did not get in"
        case.validate_response(response, checks=CHECKS)

    operation.app = world.app
    try:
        thrown()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # nothing about it can be wrong
    finally:
        world.chair.patch(f"/api/runs/{world.hidden}", json=AS_BEFORE)
