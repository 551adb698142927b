"""OpenReview's API through a real openreview-py client, against a small server on this machine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.given_files import refused
from tests.formats.systems.live_site import Answer, Asked, call, live_site
from tests.formats.systems.openreview.openreview_made import (
    EDGE_INVITATION,
    FIXTURES,
    NOTE_INVITATION,
    PAPERS,
    SCORES,
    VENUE,
)
from unround.errors import UnroundError
from unround.formats.importer import import_files, joined
from unround.formats.model import Options
from unround.formats.systems.openreview import connect, edges, fetch, notes
from unround.formats.systems.openreview.api import post_edges, post_notes

pytest.importorskip("openreview")

TOKEN = "a-token"
PASSWORD = "a pass phrase of the test"
PAGE = 2  # notes an answer, to see that the client asks on


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


class Service:
    """What the server knows, and what was posted to it."""

    def __init__(self) -> None:
        self.notes = fixture("v2_submissions.json")
        self.groups = [self.venue_group(), *fixture("v2_groups.json")]
        self.tags = fixture("v2_tags.json")
        ranking = {"id": f"{VENUE}/Reviewers/-/Paper_Ranking", "tag": {"label": {}}}
        self.invitations = [fixture("v2_invitation.json"), ranking]
        self.posted: list[tuple[str, Any]] = []
        self.asked: list[str] = []
        self.refuse_after: int | None = None

    def venue_group(self) -> dict[str, Any]:
        settings = {
            "submission_id": f"{VENUE}/-/Submission",
            "submission_name": "Submission",
            "review_name": "Official_Review",
            "review_rating": "rating",
            "reviewers_id": f"{VENUE}/Reviewers",
            "reviewers_name": "Reviewers",
        }
        content = {name: {"value": value} for name, value in settings.items()}
        return {"id": VENUE, "members": [], "content": content, "domain": VENUE}

    def __call__(self, asked: Asked) -> Answer:
        if asked.method == "POST":
            status, body = self.post(asked.path, json.loads(asked.body))
        elif asked.authorization == f"Bearer {TOKEN}":
            status, body = self.get(asked.path, asked.query)
        else:
            status, body = 403, {"name": "ForbiddenError", "message": "not for guests"}
        return Answer(json.dumps(body).encode(), status, (("Content-Type", "application/json"),))

    def get(self, path: str, query: dict[str, str]) -> tuple[int, Any]:
        self.asked.append(path)
        if path == "/notes":
            return self.page(query)
        if path not in ("/groups", "/invitations", "/tags"):
            return 404, {"name": "NotFoundError", "message": f"no {path}"}
        kind = path[1:]
        wanted, prefix = query.get("id"), query.get("prefix")
        found = [
            one
            for one in getattr(self, kind)
            if (wanted is None or one["id"] == wanted)
            and (prefix is None or one["id"].startswith(prefix))
            and query.get("invitation") in (None, one.get("invitation"))
        ]
        if wanted is not None and not found:
            return 404, {"name": "NotFoundError", "message": f"{wanted} was not found"}
        return 200, {kind: found}

    def page(self, query: dict[str, str]) -> tuple[int, Any]:
        assert query["details"] == "replies"
        found = sorted(
            (note for note in self.notes if query["invitation"] in note["invitations"]),
            key=lambda note: note["id"],
        )
        after = query.get("after", "")
        rest = [note for note in found if note["id"] > after]
        return 200, {"notes": rest[: min(PAGE, int(query["limit"]))], "count": len(found)}

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        if path == "/login":
            if body["password"] != PASSWORD:
                return 400, {"name": "Error", "message": "Invalid username or password"}
            return 200, {"token": TOKEN, "user": {"profile": {"id": "~Program_Chair1"}}}
        if self.refuse_after is not None and len(self.posted) >= self.refuse_after:
            return 400, {"name": "MaxRepliesError", "message": "one reply only"}
        self.posted.append((path, body))
        if path == "/edges/bulk":
            return 200, [{"id": f"e{number}", **edge} for number, edge in enumerate(body)]
        return 200, {"id": f"edit{len(self.posted)}", "note": {"id": "n", **body["note"]}}


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def address(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with live_site(service) as site:
        yield site.url.removesuffix("/conf")


@pytest.fixture
def client(address: str) -> Iterator[Any]:
    connected = connect(address, "chair@example.org", PASSWORD)
    yield connected
    connected.session.close()


class TestFetch:
    def test_a_venue_gives_the_same_as_its_files(self, client: Any, service: Service) -> None:
        fetched = joined(fetch(VENUE, client))
        names = ("v2_submissions.json", "v2_groups.json", "v2_invitation.json")
        files = import_files([FIXTURES / name for name in names], [FIXTURES / "v2_tags.json"])
        by_review = pl.col("review")
        assert_frame_equal(fetched.reviews.sort(by_review), files.reviews.sort(by_review))
        assert_frame_equal(fetched.rankings[0], files.rankings[0])
        assert_frame_equal(fetched.papers, files.papers)
        assert fetched.scale == files.scale
        assert fetched.place("reviews", 0) == f"{VENUE}, note rv11"
        assert service.asked.count("/notes") == 3  # two pages of notes and the empty one after

    def test_without_an_invitation_or_tags_there_is_no_ranking(
        self, client: Any, service: Service
    ) -> None:
        service.tags, tags = [], service.tags
        assert not joined(fetch(VENUE, client)).rankings
        service.tags = tags
        del service.invitations[1], service.asked[:]
        assert not joined(fetch(VENUE, client)).rankings
        assert "/tags" not in service.asked

    def test_a_form_without_levels_is_reported_and_passed_over(
        self, client: Any, service: Service
    ) -> None:
        form = service.invitations[0]["edit"]["invitation"]["edit"]["note"]["content"]
        form["rating"] = {"value": {"param": {"type": "integer"}}}
        found = joined(fetch(VENUE, client))
        assert found.scale is None
        assert any("the review form states no levels" in note for note in found.notes)

    def test_without_chairs_rights_reviewers_stay_anonymous(
        self, client: Any, service: Service
    ) -> None:
        service.groups = service.groups[:1]
        service.invitations = []
        found = joined(fetch(VENUE, client))
        assert found.scale is None
        assert any("cannot be linked" in note for note in found.notes)

    def test_the_venues_own_names_are_followed_or_else_the_usual_ones(
        self, client: Any, service: Service
    ) -> None:
        settings = service.groups[0]["content"]
        for stale in ("merit", [], None):
            settings["review_rating"]["value"] = stale
            assert joined(fetch(VENUE, client)).reviews.height == 6, stale
        text = json.dumps(service.notes).replace("-/Official_Review", "-/Assessment")
        service.notes = json.loads(text.replace('"rating"', '"merit"'))
        settings["review_name"]["value"] = "Assessment"
        service.invitations = []
        in_turn = {"overall": ["final_merit", "merit"]}
        for stated in ("merit", ["merit", "confidence"], [in_turn, "confidence"]):
            settings["review_rating"]["value"] = stated
            found = joined(fetch(VENUE, client))
            assert found.reviews["score"].sort().to_list() == [3, 5, 6, 6, 8, 10], stated
            assert "scores from 'merit'" in found.recognised[1]

    def test_the_users_field_goes_first(self, client: Any, service: Service) -> None:
        service.invitations = []
        options = Options(score_fields=("confidence",))
        found = joined(fetch(VENUE, client, options)).reviews
        assert found["score"].sort().to_list() == [2, 2, 3, 4, 4, 5]

    def test_an_unknown_venue_is_named(self, client: Any) -> None:
        with refused(r"looking for the venue nowhere\.org: nowhere\.org"):
            fetch("nowhere.org", client)

    def test_an_answer_of_another_shape_is_a_clear_error(
        self, client: Any, service: Service, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(service, "get", lambda *_: (200, ["surprise"]))
        with refused("OpenReview, looking for the venue"):
            fetch(VENUE, client)


class TestConnect:
    def test_a_wrong_password_is_refused_without_repeating_it(self, address: str) -> None:
        with refused("Invalid username or password") as told:
            connect(address, "chair@example.org", "wrong secret")
        assert "wrong secret" not in str(told.value)

    @pytest.mark.parametrize(
        ("base", "words"),
        [
            ("http://127.0.0.1:9", r"OpenReview, logging in to http://127\.0\.0\.1:9"),
            ("http://api2.openreview.net", "use https://"),
            ("https://api.openreview.net", r"api2\.openreview\.net"),
        ],
        ids=["no server", "a password that would travel unprotected", "the old API"],
    )
    def test_addresses_that_are_refused(
        self, base: str, words: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with refused(words):
            connect(base, "chair@example.org", PASSWORD)

    def test_reading_files_does_not_load_openreview_py(self) -> None:
        program = (
            "import sys, unround.formats.systems.openreview; sys.exit('openreview' in sys.modules)"
        )
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

    def test_requests_end_some_day(self, client: Any) -> None:
        assert client.session.request.keywords == {"timeout": (10, 600)}

    def test_without_openreview_py_it_says_what_to_install(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "openreview", None)
        with refused(re.escape("pip install 'unround[openreview]'")):
            connect("http://127.0.0.1:9", None, None)


class TestPosting:
    def test_edges_of_a_run_on_fetched_reviews(
        self, address: str, service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        for name, value in (("BASEURL", address), ("USERNAME", "a@b.org"), ("PASSWORD", PASSWORD)):
            monkeypatch.setenv(f"OPENREVIEW_{name}", value)
        results, edges_file = tmp_path / "run", tmp_path / "edges.json"
        ended = call("run", f"openreview:{VENUE}", "--conflicts", "scores", "-o", results)
        assert ended.exit_code == 0, ended.output
        where = "--invitation", EDGE_INVITATION, "-o", edges_file
        ended = call("export", results, "--to", "openreview", "--post", *where)
        assert ended.exit_code == 0, ended.output
        assert "6 posted to OpenReview" in ended.output
        assert service.posted == [("/edges/bulk", json.loads(edges_file.read_text("utf-8")))]

    def test_notes(self, client: Any, service: Service) -> None:
        made = notes(PAPERS, NOTE_INVITATION)
        assert post_notes(client, made) == 2
        assert service.posted == [("/notes/edits", note) for note in made]

    def test_what_the_server_refuses_is_said(self, client: Any, service: Service) -> None:
        service.refuse_after = 1
        before = r"posting to .*/Submission12/-/.*: one reply only; 1 of 2 notes had been posted"
        with pytest.raises(UnroundError, match=before):
            post_notes(client, notes(PAPERS, NOTE_INVITATION))
        with pytest.raises(UnroundError, match="posting 3 edges: one reply only"):
            post_edges(client, edges(SCORES, PAPERS, EDGE_INVITATION))
