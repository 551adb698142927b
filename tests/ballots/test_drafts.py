"""From files to ballots: exports of every system, and tables without scores."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import unround
from unround.ballots.content import BallotRefused
from unround.ballots.drafts import draft_ballots, read_drafts

EXAMPLES = Path(__file__).parents[2] / "examples"


def _drafts(path: Path, text: str):
    path.write_text(text)
    return read_drafts([path])


@pytest.mark.parametrize("system", ["hotcrp", "openreview", "cmt", "easychair"])
def test_every_system_gives_its_reviews_as_ballots(system: str):
    drafts = read_drafts([EXAMPLES / system])
    tables = unround.read(EXAMPLES / system)
    assert len(drafts.ballots) == tables.reviews["reviewer"].n_unique() == 12
    titles = dict(tables.papers.select("paper", "title").rows())
    for ballot in drafts.ballots:
        own = tables.reviews.filter(pl.col("reviewer") == ballot.reviewer)
        given = {str(one["paper"]): one["score"] for one in own.rows(named=True)}
        assert {one.paper: one.score for one in ballot.papers} == given
        assert all(one.title == titles[int(one.paper)] for one in ballot.papers)
        assert [drafts.levels[one.level] for one in ballot.papers] == sorted(
            given.values(), reverse=True
        )


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
    """They have short rows, one title per paper, and rows that assign nothing."""
    text = (
        'paper,action,email,round,title\n1,clearreview,"#pc",any,One\n'
        "1,primaryreview,ann@example.org,R1\n1,pcreview,bob@example.org,R1\n"
        "2,clearreview,all,any,Two\n2,secondaryreview,ann@example.org,R1\n"
        "2,conflict,bob@example.org\n"
    )
    drafts = _drafts(tmp_path / "pcassignments.csv", text)
    (ann,) = drafts.ballots
    assert (ann.reviewer, ann.email) == ("ann@example.org",) * 2
    assert [(one.paper, one.title) for one in ann.papers] == [("1", "One"), ("2", "Two")]
    assert drafts.too_short == ("bob@example.org",)


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
    many = pl.DataFrame({"reviewer": ["r"] * 501, "paper": [str(n) for n in range(501)]})
    with pytest.raises(BallotRefused, match="500 at most"):
        draft_ballots(many)


def _assigned(titles: list[str]) -> pl.DataFrame:
    number = range(len(titles))
    return pl.DataFrame({"reviewer": "r", "paper": [f"p{one}" for one in number], "title": titles})


@pytest.mark.parametrize(
    "title",
    [
        "Na\u00a0ïve",
        "深い\u3000学習",
        "می\u200cخواهم",
        "👩\u200d🔬 க்\u200dஷ",
        "co\u00adop",
        "1\u2009kg",
    ],
)
def test_titles_of_every_script_are_on_ballots_as_they_are(title: str):
    drafts = draft_ballots(_assigned([title, "Another"]))
    assert [paper.title for paper in drafts.ballots[0].papers] == [title, "Another"]
    assert drafts.notes == ()


def test_titles_are_shown_without_controls_and_turning_marks():
    titles = ["Fire\u202ehcraes", "Line\r\nbreak", "\u2067עברית\u2069", "w" * 1001, "Plain"]
    drafts = draft_ballots(_assigned(titles))
    shown = [paper.title for paper in drafts.ballots[0].papers]
    assert shown == ["Firehcraes", "Line break", "עברית", "w" * 999 + "…", "Plain"]
    (note,) = drafts.notes
    assert note.startswith("4 papers whose title has a control character, a mark that turns")
    assert "'Fire\\u202ehcraes', 'Line\\r\\nbreak'" in note


def test_ids_and_emails_that_cannot_be_shown_are_left_out_alone():
    table = pl.DataFrame(
        {
            "reviewer": ["ann", "ann", "ann", "b\u202eb", "b\u202eb"],
            "reviewer_name": ["Ann\u00a0Ex\u202c", "Ann", "Ann", "Bob", "Bob"],
            "reviewer_email": ["ann@x.org\u200f"] * 3 + ["bob@x.org"] * 2,
            "paper": ["1", "2\u202e2", "3", "1", "3"],
        }
    )
    drafts = draft_ballots(table)
    (ballot,) = drafts.ballots
    assert (ballot.reviewer, ballot.name, ballot.email) == ("ann", "Ann\u00a0Ex", None)
    assert [paper.paper for paper in ballot.papers] == ["1", "3"]
    starts = [note.partition(" has ")[0] for note in drafts.notes]
    assert starts == [
        f"1 {one}"
        for one in (
            "reviewer whose id",
            "paper whose id",
            "reviewer whose e-mail",
            "reviewer whose name",
        )
    ]
    assert "They are on no ballot. Correct the id in the file." in drafts.notes[1]
