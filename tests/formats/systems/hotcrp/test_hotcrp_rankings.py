"""HotCRP rankings: tag columns, offline files, and user,item,rank tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.given_files import places, read_as, refused, rows_of, written
from tests.formats.systems.hotcrp.hotcrp_files import ANA, FIXTURES, JEAN, KNOWING, KNOWN, WEI, read
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import Context, FileContent, ImportRefused, KnownReviewers, Options
from unround.formats.systems import hotcrp

RANK = ("reviewer", "paper", "rank")


def ranks_of(part: FileContent) -> dict[tuple[str, str], float]:
    return {(reviewer, paper): rank for reviewer, paper, rank in part.ranks.table.iter_rows()}


def test_tag_columns_are_ranks_of_the_reviewers_they_name() -> None:
    part = read(FIXTURES / "tags.csv")
    assert part.ranks.table.to_dict(as_series=False) == {
        "reviewer": [ANA, ANA, ANA, JEAN, WEI, WEI],
        "paper": ["1", "2", "10", "1", "2", "10"],
        "rank": [2.0, 0.0, 2.0, 1.0, 2.5, 1.0],
    }
    assert places(part.ranks) == [f"tags.csv, line {line}" for line in (2, 3, 4, 2, 3, 4)]
    assert part.notes == (
        "tags.csv: 2 columns without a rank left out",
        "tags.csv: 1 rank of other tags than '~rank' left out",
    )
    assert part.papers.table["title"].to_list()[1] == "Rooter: A Methodology, Revisited"


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        (
            "ID,Title,Ana Muñoz #~rank,Jean-Luc Petit #~rank\n1,One,2\n2,Two\n10,Ten,,1\n",
            {(ANA, "1"): 2, (JEAN, "10"): 1},
        ),
        ("ID,#~rank,Ana Muñoz<br>#~rank\n4,,6\n20,,3\n", {(ANA, "4"): 6, (ANA, "20"): 3}),
    ],
    ids=["rows end at the last rank", "names end with a line break of HTML"],
)
def test_forms_of_lists(text: str, ranks: dict[tuple[str, str], float], tmp_path: Path) -> None:
    assert ranks_of(read(written(tmp_path, "tags.csv", text))) == ranks


def test_another_tag_is_chosen_by_name() -> None:
    path = FIXTURES / "tags.csv"
    chosen = read(path, Options(columns={"rank": "~Discuss"}))
    assert ranks_of(chosen) == {(ANA, "1"): 1}
    with refused(r"tags\.csv has no values of the tag 'novel', only of"):
        read(path, Options(columns={"rank": "novel"}))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("Ana Muñoz #~order,Ana Muñoz #~novelty", "several tags: 'order', 'novelty'; .* --column"),
        (f"Ana Muñoz #~rank,{ANA} #~rank", "several columns belong to one reviewer: 'Ana Mu"),
        ("Ana Muñoz #~rank,Ana Muñoz #~rank", "has the column 'Ana Muñoz #~rank' more than once"),
        (f"{WEI} #~rank,{ANA} #~novel,{ANA} #~novel", f"column '{ANA} #~novel' more than once"),
        ("ID,Ana Muñoz #~rank", "has the column 'ID' more than once"),
        ("#~rank,Ana Muñoz", r"column '#~rank' names nobody.*--ranker E-MAIL"),
    ],
)
def test_columns_that_are_asked_about(columns: str, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f"ID,Title,{columns}\n1,One,1,2\n")
    with refused(words):
        read(path)


def test_unknown_and_shared_names_are_all_reported(tmp_path: Path) -> None:
    text = "ID,Title,Nobody Here #~rank,Ana Muñoz #~rank,Someone Else #~rank\n1,One,1,1,2\n"
    twins = KnownReviewers(
        (*KNOWN, {"reviewer": "other@example.org", "reviewer_name": "ana  MUÑOZ"})
    )
    with pytest.raises(ImportRefused) as problem:
        read(written(tmp_path, "t.csv", text), context=Context(reviewers=twins))
    assert "t.csv: no review is by 'Nobody Here', 'Someone Else'" in str(problem.value)
    assert "'Ana Muñoz' may be ana.munoz@example.org or other@example.org" in str(problem.value)


def test_ranks_of_a_few_outsiders_are_left_out_and_said(tmp_path: Path) -> None:
    """As of a chair who ranked but wrote no review; a list of mostly unknown people is refused."""
    text = "ID,Title,Cara Chair #~rank,Ana Muñoz #~rank,wei@example.org #~rank\n1,One,1,1,2\n"
    part = read(written(tmp_path, "t.csv", text))
    assert ranks_of(part) == {(ANA, "1"): 1, (WEI, "1"): 2}
    assert part.notes == ("t.csv: 1 rank of people who wrote no review left out: Cara Chair",)


def test_the_exporters_own_column_is_theirs(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "ID,Title,#~rank\n1,One,1\n2,Two,2\n")
    named = Options(ranker=WEI)
    assert ranks_of(read(path, named)) == {(WEI, "1"): 1, (WEI, "2"): 2}


@pytest.mark.parametrize("cell", ["first", "1e3", "2147483648", "9" * 400, "1 2"])
def test_a_cell_that_is_no_rank_is_named(cell: str, tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f"ID,Title,Ana Muñoz #~rank\n1,One,1\n2,Two,{cell}\n")
    with refused(r"t\.csv, line 3, 'Ana Muñoz #~rank': '.*' is no rank"):
        read(path)


def test_rankings_cannot_be_linked_to_reviews_without_authors() -> None:
    with refused(r"tags\.csv: the reviews do not say who wrote them.*chair"):
        import_files([FIXTURES / "aureviews.csv"], [FIXTURES / "tags.csv"])


def test_the_example_of_the_help_page(tmp_path: Path) -> None:
    content = (FIXTURES / "offline-rank.txt").read_bytes()
    part = read(written(tmp_path, f"{ANA}.txt", content))
    ranks = (("8", 1), ("5", 2), ("1", 2), ("2", 3), ("4", 5))
    assert rows_of(part.ranks, *RANK) == [(ANA, *rank) for rank in ranks]
    assert places(part.ranks) == [f"{ANA}.txt, line {line}" for line in (10, 11, 12, 13, 14)]
    assert part.notes == (f"{ANA}.txt: 1 paper without a rank left out",)
    assert part.recognised == f"{ANA}.txt: HotCRP offline ranking of {ANA}"


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        (",1\n,2\n", {"1": 1, "2": 2}),
        (">,1\n>,2\n=,3\n>>>,4", {"1": 1, "2": 2, "3": 2, "4": 5}),
        ("5,1\n,2\n=,3", {"1": 5, "2": 6, "3": 6}),
        ("2.5,1\n,2\n-1,3\n.5,4\n+3,5", {"1": 2.5, "2": 3.5, "3": -1, "4": 0.5, "5": 3}),
        ("X,1\nx,2\nclear,3\nunset,4\n,5", {"5": 1}),
        (",1\nX,2\n=,3", {"1": 1, "3": 1}),
        ("% comment\n# another\n\n,1", {"1": 1}),
        ("paper,action\n1,\n2,=\n3,>>", {"1": 1, "2": 1, "3": 3}),
        ('pid\tindex\ttitle\n1\t\tA "title\n2\t=\tB', {"1": 1, "2": 1}),
        ('tag,paperid,title\n,7,"A, ""B"""\nX,8,', {"7": 1}),
        ("index,id\n3,1", {"1": 3}),
        ("action|paper\n|1\n=|2", {"1": 1, "2": 1}),
        ("tag,~rank\n,1\ntag,~rank\n,2", {"1": 1, "2": 1}),
        ("~rank,tag\n,1\n,2", {"1": 1, "2": 2}),
        (",1\n,2\n,1", {"1": 3, "2": 2}),
        (" , 1\n = , 2", {"1": 1, "2": 1}),
    ],
)
def test_every_form_of_line(text: str, ranks: dict[str, float], tmp_path: Path) -> None:
    for end in ("\n", "\r\n"):
        path = written(tmp_path, f"{ANA}.txt", text.replace("\n", end))
        part = read_as("hotcrp-ranking", path, KNOWING)
        assert ranks_of(part) == {(ANA, paper): rank for paper, rank in ranks.items()}


def test_a_switch_of_tags_starts_anew(tmp_path: Path) -> None:
    text = "action,paper\ntag,~rank\n,1\n,2\ntag,~novelty\n,2\n,1\n"
    path = written(tmp_path, "wei.txt", text)
    assert ranks_of(read(path)) == {(WEI, "1"): 1, (WEI, "2"): 2}
    other = Options(columns={"rank": "novelty"})
    assert ranks_of(read(path, other)) == {(WEI, "2"): 1, (WEI, "1"): 2}


@pytest.mark.parametrize(
    ("text", "ranks", "note"),
    [
        (
            ",1\n,2\n,1\n",
            {"1": 3, "2": 2},
            "1 line overruled by a later line for the same paper",
        ),
        (
            "# Edit the rank order\n\nTag: ~rank\n\n\t8\tRooter\n=\t1\tCaches\n>>\t4\tControl\n"
            "X\t6\tOther\n",
            {"8": 1, "1": 1, "4": 3},
            "1 paper without a rank left out",
        ),
        (
            "X,6,E\naction,paper,title\ntag,~rank\n,8,A\n,5,B\n",
            {"8": 1, "5": 2},
            "1 line of other tags than '~rank' left out",
        ),
    ],
    ids=["a repeated paper", "the tag line of older versions", "lines before the tag line"],
)
def test_what_is_left_out_of_a_ranking_is_said(
    text: str, ranks: dict[str, float], note: str, tmp_path: Path
) -> None:
    part = read(written(tmp_path, "wei.txt", text))
    assert ranks_of(part) == {(WEI, paper): rank for paper, rank in ranks.items()}
    assert part.notes == (f"wei.txt: {note}",)


@pytest.mark.parametrize(
    "name",
    [
        "wei@example.org",
        "wei@example.org.txt",
        "WEI.txt",
        "wei-rank.csv",
        "conf-rank.txt",
        "李_伟.txt",
        "rank_李 伟.txt",
    ],
)
def test_whose_file_it_is(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, name, "action,paper\n,1\n")
    ranker = "李 伟" if name.startswith("conf") else None
    options = Options(ranker=ranker)
    assert ranks_of(read(path, options)) == {(WEI, "1"): 1}


def test_a_file_name_that_names_nobody_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "conf-rank.txt", "action,paper\n,1\n")
    with refused(r"does not say whose.*'conf-rank'.*--ranker E-MAIL"):
        read(path)
    with refused(r"no review is by 'nobody@example\.org'"):
        read(path, Options(ranker="nobody@example.org"))
    shared = KnownReviewers((KNOWN[2], {"reviewer": "wei@other.example"}))
    path = written(tmp_path, "wei.txt", "action,paper\n,1\n")
    with refused(r"'wei' may be wei@example\.org or wei@other\.example"):
        read(path, context=Context(reviewers=shared))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("?,5", "line 3 has the mark"),
        (",five", "line 3 names no paper by its number"),
        ("8", "line 3 has 1 cells"),
        ("tag,~~~", "line 3 names no tag"),
        ("1e5,5", "line 3 has the mark '1e5'"),
    ],
)
def test_a_line_that_is_not_understood_is_named(line: str, reason: str, tmp_path: Path) -> None:
    path = written(tmp_path, "wei.txt", f"action,paper\n,1\n{line}\n")
    reader = next(reader for reader in hotcrp.READERS if reader.name == "hotcrp-ranking")
    with refused(rf"wei\.txt, {reason}"):
        reader.read(Source(path), Options())


def test_user_item_rank_tables() -> None:
    part = read(FIXTURES / "ranks.csv")
    assert rows_of(part.ranks, *RANK) == [(ANA, "1", 2), (JEAN, "1", 1), (WEI, "2", 1.5)]
    assert places(part.ranks) == [f"ranks.csv, line {line}" for line in (2, 3, 4)]
    assert part.notes == ("ranks.csv: 1 line without a rank left out",)
    with refused(r"ranks\.csv: no review is by 'wei'"):
        read(FIXTURES / "ranks.csv", context=Context(reviewers=KnownReviewers(KNOWN[:2])))


def test_assignments_of_scores_are_no_ranks(tmp_path: Path) -> None:
    header = "paper,action,tag,tag_value\n"
    scores = written(tmp_path, "scores.csv", header + "1,tag,~~dq_mean,3.5\n")
    assert not [reader.name for reader in hotcrp.READERS if reader.recognises(Source(scores))]
    ranks = written(tmp_path, "ranks.csv", header + f"1,tag,{ANA}~rank,2\n")
    assert ranks_of(read(ranks)) == {(ANA, "1"): 2}
