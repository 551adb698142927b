"""From files to ballots: exports of every system, and tables without scores."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.formats.every_format import FORMATS
from unround import simulate
from unround.ballots.content import BallotRefused
from unround.ballots.drafts import draft_ballots, read_drafts
from unround.cli.commands.simulate import SHAPES
from unround.formats.registry import system_module
from unround.formats.synthetic import named

CONFERENCE = named(simulate.thurstone(12, scale=range(1, 6), seed=5))


def _drafts(path: Path, text: str):
    path.write_text(text)
    return read_drafts([path])


@pytest.mark.parametrize("system", [*SHAPES, "pretalx", "indico"])
def test_every_system_gives_the_same_ballots(system: str, tmp_path: Path):
    write = system_module(system).write_conference if system in SHAPES else FORMATS[system]
    write(CONFERENCE, tmp_path)
    drafts = read_drafts(sorted(tmp_path.iterdir()))
    wanted = CONFERENCE.reviews.group_by("reviewer").len().filter(pl.col("len") >= 2)
    assert len(drafts.ballots) == wanted.height
    assert drafts.levels == (1, 2, 3, 4, 5)
    ballot = drafts.ballots[0]
    name = ballot.name or ballot.reviewer.strip("~1").replace("_", " ")
    own = CONFERENCE.reviews.filter(pl.col("reviewer_name") == name)
    scores = {str(row["paper"]): (row["title"], row["score"]) for row in own.iter_rows(named=True)}
    assert {one.paper: (one.title, one.score) for one in ballot.papers} == scores
    assert all(paper.level == paper.score - 1 for paper in ballot.papers)
    levels = [paper.level for paper in ballot.papers]
    assert levels == sorted(levels, reverse=True)


def test_a_table_without_scores_will_do(tmp_path: Path):
    text = "Reviewer,E-mail,Paper ID,Title\nann,ann@example.org,1,One\nann,,2,Two\nbob,,2,Two\n"
    drafts = _drafts(tmp_path / "table.csv", text)
    (ann,) = drafts.ballots
    assert (ann.reviewer, ann.email) == ("ann", "ann@example.org")
    assert [(one.paper, one.title, one.score, one.level) for one in ann.papers] == [
        ("1", "One", None, None),
        ("2", "Two", None, None),
    ]
    assert (drafts.too_short, drafts.without_email, drafts.levels) == (("bob",), (), ())


def test_hotcrps_assignments_will_do(tmp_path: Path):
    text = (
        "paper,action,email,reviewtype,title\n1,clearreview,all,,\n"
        "1,primary,ann@example.org,primary,One\n2,review,ann@example.org,secondary,Two\n"
        "2,conflict,bob@example.org,,Two\n3,review,bob@example.org,,Three\n"
    )
    drafts = _drafts(tmp_path / "pcassignments.csv", text)
    assert [one.reviewer for one in drafts.ballots] == ["ann@example.org"]
    assert drafts.too_short == ("bob@example.org",)
    assert drafts.ballots[0].email == "ann@example.org"


def test_hotcrps_pc_assignments_have_short_rows_and_one_title_per_paper(tmp_path: Path):
    text = (
        'paper,action,email,round,title\n1,clearreview,"#pc",any,One\n'
        "1,primaryreview,ann@example.org,R1\n1,pcreview,bob@example.org,R1\n"
        '2,clearreview,"#pc",any,Two\n2,secondaryreview,ann@example.org,R1\n'
    )
    (ann,) = _drafts(tmp_path / "pcassignments.csv", text).ballots
    assert [(one.paper, one.title) for one in ann.papers] == [("1", "One"), ("2", "Two")]


def test_letters_and_uneven_levels_have_places():
    table = pl.DataFrame(
        {"reviewer": ["r"] * 3, "paper": ["1", "2", "3"], "score": ["A", "C", "B"]}
    )
    (ballot,) = draft_ballots(table).ballots
    assert [(one.paper, one.score, one.level) for one in ballot.papers] == [
        ("1", "A", 2),
        ("3", "B", 1),
        ("2", "C", 0),
    ]


def test_a_review_named_twice_counts_once_and_nonsense_is_refused():
    table = pl.DataFrame({"reviewer": ["r", "r", "r"], "paper": ["1", "1", "2"]})
    assert len(draft_ballots(table).ballots[0].papers) == 2
    with pytest.raises(BallotRefused, match="no row with a reviewer"):
        draft_ballots(pl.DataFrame({"reviewer": [None, ""], "paper": ["1", "2"]}))
    with pytest.raises(BallotRefused, match="cannot be a name"):
        draft_ballots(pl.DataFrame({"reviewer": ["r\n", "r\n"], "paper": ["1\t2", "2"]}))
    many = pl.DataFrame({"reviewer": ["r"] * 501, "paper": [str(n) for n in range(501)]})
    with pytest.raises(BallotRefused, match="500 at most"):
        draft_ballots(many)
