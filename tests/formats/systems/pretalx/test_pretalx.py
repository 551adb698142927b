"""Exports of a running pretalx 2026.2, untouched, against its database; and its API, by recorded answers.

The event is made up: nine sessions in two tracks, three categories and one that is switched off, a withdrawn
and a cancelled session, and a session of the chair, whose reviews the chair does not see.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

from tests.formats.given_files import refused, workbook, written
from tests.formats.systems.live_site import Answer, Asked, LiveSite, call, live_site
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.live import live_address
from unround.formats.model import Options
from unround.formats.systems.pretalx import push
from unround.runs.inputs import InputFiles

GOLDEN = Path(__file__).parents[2] / "fixtures" / "pretalx"
DATABASE = json.loads((GOLDEN / "database.json").read_text("utf-8"))
SUBMISSIONS = json.loads((GOLDEN / "submissions.json").read_text("utf-8"))["results"]
SEEN = frozenset(one["id"] for one in json.loads((GOLDEN / "api.json").read_text())["results"])
EVERY = frozenset(row["id"] for row in DATABASE)
OUT = ("withdrawn", "canceled")
TOKEN = "secret"
Scores = set[tuple[str, str, float]]


def in_database(category: str, *states: str, seen: frozenset[int] = SEEN) -> Scores:
    """The reviews that a chair sees, without those of sessions in these states."""
    return {
        (row["paper"], row["email"], float(row["scores"][category]))
        for row in DATABASE
        if row["id"] in seen and category in row["scores"] and row["state"] not in states
    }


def scores(imported: Tables) -> Scores:
    table = imported.reviews.select("paper", "reviewer", pl.col("score").cast(float))
    assert table.unique().height == table.height
    return set(table.rows())


def read(*names: str, **options: object) -> Tables:
    return import_files([GOLDEN / name for name in names], options=Options(**options))


@pytest.mark.parametrize(
    "name", ["reviews.csv", "reviews-de.csv", "reviews.json", "reviews-nocat.csv"]
)
@pytest.mark.parametrize("category", ["Quality", "Fit", "Proof"])
def test_files_hold_the_scores_of_the_database(name: str, category: str):
    seen = EVERY if name == "reviews-de.csv" else SEEN  # another chair, who proposed nothing
    assert scores(read(name, score_fields=(category,))) == in_database(category, seen=seen)


@pytest.mark.parametrize("name", ["sessions.csv", "sessions.json"])
def test_sessions_tell_which_are_out_and_decided(name: str):
    imported = read("reviews.csv", name, score_fields=("Quality",))
    assert scores(imported) == in_database("Quality", *OUT)
    assert sum("left out; --keep-withdrawn counts them" in note for note in imported.notes) == 2
    assert set(imported.papers["decision"].drop_nulls()) == {"accepted", "rejected"}
    assert set(imported.papers["track"]) == {"Theory", "Practice"}


def test_the_api_holds_states_and_leaves_out_what_is_switched_off():
    imported = read("api.json", score_fields=("Quality",))
    assert scores(imported) == in_database("Quality", *OUT)
    assert any("of a category that is switched off" in note for note in imported.notes)


@pytest.mark.parametrize(
    ("name", "of_their_sum"),
    [
        ("reviews.csv", r"\. 'Score' is a weighted sum of them, unless"),
        ("reviews-de.csv", r"\. 'Wertung' is a weighted sum"),
        *((name, "") for name in ("reviews.json", "reviews-nocat.csv", "api.json")),
    ],
)
def test_which_category_is_the_score_is_asked_and_their_sum_is_none(name: str, of_their_sum: str):
    categories = "(Quality, Fit|Fit, Quality), Proof"
    with refused(
        rf"which category is the score\? Choose with --field NAME: {categories}{of_their_sum}"
    ):
        read(name)


def test_a_category_called_score_is_one(tmp_path: Path):
    header = "Score,Score in “Score”,Score in “Fit”,Proposal ID,Reviewer email,Fit\n"
    path = written(tmp_path, "reviews.csv", header + "2,,,AB,ann@x.org,0\n1,,,CD,ann@x.org,1\n")
    with refused("NAME: Score, Fit$"):
        import_files([path])
    imported = import_files([path], options=Options(score_fields=("Score",)))
    assert scores(imported) == {("AB", "ann@x.org", 2.0), ("CD", "ann@x.org", 1.0)}


def test_one_category_needs_no_option():
    imported = read("one-category.csv")
    assert imported.reviews.height == 54
    assert any("6 reviews without a score left out" in note for note in imported.notes)


def test_reviews_and_sessions_may_be_sheets_of_one_workbook(tmp_path: Path):
    names = {"Reviews": "one-category.csv", "Sessions": "sessions.csv"}
    tables = {
        sheet: [*csv.reader((GOLDEN / name).read_text("utf-8-sig").splitlines())]
        for sheet, name in names.items()
    }
    imported = import_files([workbook(tmp_path / "event.xlsx", **tables)])
    assert scores(imported) == scores(read("one-category.csv"))
    assert "event.xlsx: sheet 'Sessions' left out: it holds no reviews" in imported.notes


def test_one_page_is_no_conference(tmp_path: Path):
    with refused("one page of a longer answer: 4 of 24 records"):
        read("api-page.json", score_fields=("Quality",))
    plain = {"count": 9, "results": [{"reviewer": "ann", "paper": 1, "score": 3}]}
    with refused("one page of a longer answer: 1 of 9 records"):
        import_files([written(tmp_path, "plain.json", json.dumps(plain))])
    bare = {"count": 1, "next": None, "results": [{"submission": "AB", "user": "X", "scores": [1]}]}
    with refused("names its session or reviewer by a code alone: fetch the reviews with expand="):
        import_files([written(tmp_path, "bare.json", json.dumps(bare))])


class Pretalx:
    """A site that keeps one field and its answers, as pretalx does."""

    def __init__(self) -> None:
        self.fields: list[dict[str, object]] = []
        self.answers: dict[str, dict[str, object]] = {}

    def __call__(self, asked: Asked) -> Answer:
        if asked.authorization != f"Token {TOKEN}":
            return Answer(b'{"detail": "Invalid token."}', 401)
        name = asked.path.removeprefix("/api/events/gold/")
        if asked.method == "DELETE":
            self.answers = {k: v for k, v in self.answers.items() if name != f"answers/{v['id']}/"}
            return Answer(b"", 204)
        if asked.method == "POST":
            body = json.loads(asked.body)
            if name == "questions/":
                self.fields.append({**body, "id": 7})
                return Answer(json.dumps(self.fields[-1]).encode(), 201)
            self.answers[body["submission"]] = {**body, "id": len(self.answers) + 1}
            return Answer(b"{}", 201)
        pages = {
            "reviews/": json.loads((GOLDEN / "api.json").read_text("utf-8"))["results"],
            "submissions/": SUBMISSIONS,
            "questions/": self.fields,
            "answers/": list(self.answers.values()),
        }
        if name not in pages:
            return Answer(b"<html>", 404)
        number = int(asked.query["page"])
        rows = pages[name][20 * (number - 1) : 20 * number]
        page = {"count": len(pages[name]), "next": "x" if len(pages[name]) > 20 * number else None}
        return Answer(json.dumps({**page, "results": rows}).encode())


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveSite]:
    monkeypatch.setenv("PRETALX_TOKEN", TOKEN)
    with live_site(Pretalx()) as running:
        running.url = running.url.replace("/conf", "/gold")
        yield running


def run(site: LiveSite, output: Path) -> Result:
    return call("run", f"pretalx+{site.url}", "--field", "Quality", "--lam", 1, "-o", output)


def test_all_pages_are_fetched_and_hidden_reviews_said(site: LiveSite):
    inputs = InputFiles([Path(f"pretalx+{site.url}")], options=Options(score_fields=("Quality",)))
    imported = inputs.read()
    assert scores(imported) == in_database("Quality", *OUT)
    unseen = "3 reviews of the account's own sessions cannot be seen"
    assert any(unseen in note for note in imported.notes)


def test_scores_go_into_a_field_that_is_switched_off(site: LiveSite, tmp_path: Path):
    assert run(site, tmp_path / "out").exit_code == 0
    state = site.answer
    export = "export", tmp_path / "out", "--to", "pretalx", "--post", f"pretalx+{site.url}"
    shown = call(*export, "--dry-run")
    assert "would change: 6 scores set" in shown.output
    assert not state.fields
    pushed = call(*export)
    assert "changed: 6 scores set" in pushed.output
    (field,) = state.fields
    assert (field["active"], field["is_public"], field["is_visible_to_reviewers"]) == (False,) * 3
    papers = pl.read_csv(tmp_path / "out" / "papers.csv")
    means = dict(papers.select("paper", "dequantized_mean").rows())
    assert {paper: float(one["answer"]) for paper, one in state.answers.items()} == pytest.approx(
        means, abs=6e-5
    )
    assert len({len(str(one["answer"])) for one in state.answers.values()}) == 1
    state.answers["GONE"] = {"id": 99, "submission": "GONE", "answer": "1.0000"}
    assert "1 score removed; sessions GONE" in call(*export).output
    assert "would change: nothing" in call(*export).output
    field["active"] = True
    assert "speakers would read their scores; switch it off first" in call(*export).output


def test_sessions_of_another_event_are_refused_before_anything_is_written(site: LiveSite):
    address = live_address(f"pretalx+{site.url}")
    known = SUBMISSIONS[0]["code"]
    for dry_run in (True, False):
        with refused("2 of 3 sessions are not of this event: OTHER1, OTHER2. Nothing was written"):
            push(address, TOKEN, f"paper,score\nOTHER1,3\n{known},3\nOTHER2,3\n", dry_run=dry_run)
    assert site.answer.fields == []


def test_what_pretalx_refuses_is_said(
    site: LiveSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site.url = site.url.replace("/gold", "/other")
    assert "it answers 404" in run(site, tmp_path / "out").output
    monkeypatch.setenv("PRETALX_TOKEN", "other")
    ended = run(site, tmp_path / "out")
    assert "the token is refused: Invalid token.; a token of an organiser" in ended.output
    assert ended.exit_code == 1
    assert not (tmp_path / "out").exists()
