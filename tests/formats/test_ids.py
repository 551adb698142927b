"""Ids that two files write in different ways: matched where that is certain, else offered."""

from pathlib import Path

import pytest

import unround
from tests.formats.given_files import imported as imported_texts
from tests.formats.given_files import refused, written
from unround.formats.importer import import_files


def imported(folder: Path, reviews: str, ranks: str, **options: str) -> unround.Tables:
    reviews, ranks = f"reviewer,paper,score\n{reviews}", f"reviewer,paper,rank\n{ranks}"
    return imported_texts(folder, reviews, ranks, **options)


@pytest.mark.parametrize("form", ["{}.0", "00{}", "#{}", "Paper {}", "P{}", "paper-{}", "Sub. #{}"])
@pytest.mark.parametrize("plain_in_reviews", [True, False])
def test_numbers_written_in_another_way(tmp_path: Path, form: str, plain_in_reviews: bool):
    ours, theirs = ("{}", form) if plain_in_reviews else (form, "{}")
    reviews = "".join(f"ann,{ours.format(n)},{n % 5}\n" for n in (6, 7, 12))
    ranks = "".join(f"ann,{theirs.format(n)},{n}\n" for n in (6, 7, 12))
    found = imported(tmp_path, reviews, ranks)
    assert found.rankings[0]["paper"].to_list() == found.reviews["paper"].to_list()
    [note] = found.notes
    assert note.startswith("3 papers of the rankings matched by their plain forms")
    assert f"{theirs.format(6)!r} in the rankings is {ours.format(6)!r} in the reviews" in note
    issues = unround.check(found.reviews, found.rankings[0], scale=range(8))
    assert all(issue.kind != "unreviewed" for issue in issues)


@pytest.mark.parametrize(
    "form", ["ANN@Example.ORG", "Ann Lee <ANN@example.org>", "mailto:ann@example.org"]
)
def test_reviewers(tmp_path: Path, form: str):
    found = imported(tmp_path, "ann@example.org,1,3\nann@example.org,2,3\n", f"{form},1,1\n")
    assert found.rankings[0].rows() == [("ann@example.org", 1, 1)]
    assert "1 reviewer of the rankings matched by their plain forms" in found.notes[0]


def test_reviewers_by_the_names_that_reviews_give(tmp_path: Path):
    reviews = "email,reviewer name,paper,score\nann@x.org,Ann Lee,1,3\nbob@x.org,Bob Ray,1,4\n"
    ranks = "reviewer,paper,rank\nann lee,1,1\nBob Ray,1,1\n"
    found = imported_texts(tmp_path, reviews, ranks)
    assert found.rankings[0]["reviewer"].to_list() == ["ann@x.org", "bob@x.org"]
    assert "2 reviewers of the rankings matched by their names" in found.notes[0]


def test_ids_that_agree_are_left_alone(tmp_path: Path):
    """Also where a rule would take two of them for one."""
    ranks = "ann,1,1\nann,01,2\n"
    found = imported(tmp_path, "ann,1,3\nann,01,3\n", ranks, match_ids="never")
    assert found.rankings[0]["paper"].to_list() == ["1", "01"]
    assert not found.notes


def test_two_ids_are_never_taken_for_one(tmp_path: Path):
    found = imported(tmp_path, "ann,1,3\nann,2,3\n", "ann,#1,1\nann,P1,2\n")
    assert found.rankings[0]["paper"].to_list() == ["#1", "P1"]
    assert not found.notes


def test_words_before_numbers_stay_where_they_tell_papers_apart(tmp_path: Path):
    """As in two tracks that both count from 1."""
    reviews = "ann,A6,3\nann,B6,4\nbob,A7,5\n"
    found = imported(tmp_path, reviews, "ann,a6,1\nann,b6,2\n")
    assert found.reviews["paper"].to_list() == ["A6", "B6", "A7"]
    assert found.rankings[0]["paper"].to_list() == ["A6", "B6"]
    found = imported(tmp_path, reviews, "ann,6,1\nann,7,2\n")
    assert found.rankings[0]["paper"].to_list() == ["6", "7"]


def test_an_uncertain_match_is_offered_and_taken_if_the_user_says_so(tmp_path: Path):
    given = tmp_path, "ann,1,3\nann,2,3\nann,3,3\n", "ann,#1,1\nann,#2,2\nann,#9,3\n"
    found = imported(*given)
    assert found.rankings[0]["paper"].to_list() == ["#1", "#2", "#9"]
    assert found.notes == (
        "most papers of the rankings are not among the reviews as they are written; by their "
        "plain forms, 2 of 3 would be ('#1' in the rankings is '1' in the reviews): "
        "--match-ids always takes them",
    )
    found = imported(*given, match_ids="always")
    assert found.rankings[0]["paper"].to_list() == ["1", "2", "#9"]
    assert found.notes[0].endswith("; 1 not matched")
    assert not imported(*given, match_ids="never").notes
    with refused(r"--match-ids maybe: unknown; choose among certain"):
        imported(*given, match_ids="maybe")


def test_a_few_ids_written_in_another_way(tmp_path: Path):
    """The others agree: what looks like a paper that was not reviewed may be one that was."""
    given = tmp_path, "ann,1,3\nann,2,3\nann,3,3\nbob,1,2\n", "ann,1,1\nann,2.0,2\nBob,1,1\n"
    assert [note.partition(";")[0] for note in imported(*given).notes] == [
        f"some {role}s of the rankings are not among the reviews as they are written"
        for role in ("reviewer", "paper")
    ]
    found = imported(*given, match_ids="always")
    assert found.rankings[0].rows() == [("ann", 1, 1), ("ann", 2, 2), ("bob", 1, 1)]
    assert not imported(tmp_path, "ann,1,3\nann,2,3\n", "ann,1,1\nann,9,2\n").notes


def test_titles_find_their_papers(tmp_path: Path):
    reviews = written(tmp_path, "r.csv", "reviewer,paper,score\nann,1,3\nann,2,3\n")
    found = import_files([reviews, written(tmp_path, "p.csv", "paper,title\n#1,One\n#2,Two\n")])
    assert found.papers.rows() == [(1, "One"), (2, "Two")]
    assert found.notes[0].startswith("2 papers of the list of papers matched by their plain forms")


@pytest.mark.parametrize("header", ["ID,Title,Status", "paper,title,decision"])
def test_withdrawn_papers_are_left_out_whichever_way_their_ids_are_written(
    tmp_path: Path, header: str
):
    reviews = written(tmp_path, "r.csv", "reviewer,paper,score\nann,#1,3\nann,#2,4\n")
    papers = written(tmp_path, "p.csv", f"{header}\n1,One,Withdrawn\n2,Two,Accepted\n")
    found = import_files([reviews, papers])
    assert found.reviews["paper"].to_list() == ["#2"]
    assert found.notes[0].startswith("1 review of 1 withdrawn paper (#1) left out")


def test_ids_that_the_console_leaves_out_are_named_when_files_are_read(tmp_path: Path):
    (tmp_path / "reviews.csv").write_text(
        "reviewer,paper,score\nann,p1,3\nb\u2066b,p1,4\nann,p\u202e2,5\nb\u2066b,p\u202e2,2\n",
        "utf-8",
    )
    notes = unround.read(tmp_path / "reviews.csv").notes
    assert [note for note in notes if "whose id has a control character" in note] == [
        "1 paper whose id has a control character, a mark that turns the direction of writing, or more "
        "than 200 letters ('p\\u202e2'). Ballots and area chairs' pages leave them out. "
        "Correct the id in the file.",
        "1 reviewer whose id has a control character, a mark that turns the direction of writing, or more "
        "than 200 letters ('b\\u2066b'). They can get no ballot. Correct the id in the file.",
    ]
