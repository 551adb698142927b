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
    with pytest.raises(BallotRefused, match="cannot be a name"):
        draft_ballots(pl.DataFrame({"reviewer": ["r\n", "r\n"], "paper": ["1\t2", "2"]}))
    many = pl.DataFrame({"reviewer": ["r"] * 501, "paper": [str(n) for n in range(501)]})
    with pytest.raises(BallotRefused, match="500 at most"):
        draft_ballots(many)
