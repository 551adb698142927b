"""HotCRP rankings: tag columns, offline files, and user,item,rank tables."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.given_files import refused, written
from tests.formats.systems.hotcrp.hotcrp_files import (
    ANA,
    FIXTURES,
    JEAN,
    KNOWN,
    WEI,
    places,
    read,
    reader_of,
)
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import FileContent, ImportRefused, KnownReviewers, Options
from unround.formats.systems import hotcrp
from unround.formats.systems.hotcrp.rankings import Ranking, records_of

KNOWING = Options(known_reviewers=KNOWN)


def ranks_of(part: FileContent) -> dict[tuple[str, str], float]:
    return {(reviewer, paper): rank for reviewer, paper, rank in part.ranks.table.iter_rows()}


def ranked(text: str) -> dict[str, float]:
    """Papers and ranks of a file's first tag."""
    ranking = Ranking()
    for record in records_of(enumerate(text.split("\n"), start=1)):
        ranking.follow(record)
    papers = next(iter(ranking.values.values()), {})
    return {paper: value for paper, (value, _) in papers.items() if value is not None}


def test_tag_columns_are_ranks_of_the_reviewers_they_name() -> None:
    part = read(FIXTURES / "tags.csv", KNOWING)
    expected = pl.DataFrame(
        {
            "reviewer": [ANA, ANA, ANA, JEAN, WEI, WEI],
            "paper": ["1", "2", "10", "1", "2", "10"],
            "rank": [2.0, 0.0, 2.0, 1.0, 2.5, 1.0],
        }
    )
    assert_frame_equal(part.ranks.table, expected)
    assert places(part.ranks) == [f"tags.csv, line {line}" for line in (2, 3, 4, 2, 3, 4)]
    assert part.notes == (
        "tags.csv: 2 columns without a rank left out",
        "tags.csv: 1 rank of other tags than '~rank' left out",
    )
    assert part.papers.table["title"].to_list()[1] == "Rooter: A Methodology, Revisited"


def test_rows_of_a_list_may_end_at_the_last_rank(tmp_path: Path) -> None:
    text = "ID,Title,Ana Muñoz #~rank,Jean-Luc Petit #~rank\n1,One,2\n2,Two\n10,Ten,,1\n"
    part = read(written(tmp_path, "tags.csv", text), Options(known_reviewers=KNOWN))
    assert ranks_of(part) == {(ANA, "1"): 2, (JEAN, "10"): 1}


def test_another_tag_is_chosen_by_name() -> None:
    chosen = Options(known_reviewers=KNOWN, columns={"rank": "~Discuss"})
    assert ranks_of(read(FIXTURES / "tags.csv", chosen)) == {(ANA, "1"): 1}


def test_several_tags_without_a_usual_one_are_listed(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "ID,Ana Muñoz #~order,Ana Muñoz #~novelty\n1,1,2\n")
    with refused(r"several tags: 'order', 'novelty'; choose .* --column"):
        read(path, KNOWING)


def test_unknown_and_shared_names_are_all_reported(tmp_path: Path) -> None:
    text = "ID,Title,Nobody Here #~rank,Ana Muñoz #~rank,Someone Else #~rank\n1,One,1,1,2\n"
    twins = KnownReviewers(
        (*KNOWN, {"reviewer": "other@example.org", "reviewer_name": "ana  MUÑOZ"})
    )
    with pytest.raises(ImportRefused) as problem:
        read(written(tmp_path, "t.csv", text), Options(known_reviewers=twins))
    assert "t.csv: no review is by 'Nobody Here', 'Someone Else'" in str(problem.value)
    assert "'Ana Muñoz' may be ana.munoz@example.org or other@example.org" in str(problem.value)


def test_ranks_of_a_few_outsiders_are_left_out_and_said(tmp_path: Path) -> None:
    """As of a chair who ranked but wrote no review; a list of mostly unknown people is refused."""
    text = "ID,Title,Cara Chair #~rank,Ana Muñoz #~rank,wei@example.org #~rank\n1,One,1,1,2\n"
    part = read(written(tmp_path, "t.csv", text), KNOWING)
    assert ranks_of(part) == {(ANA, "1"): 1, (WEI, "1"): 2}
    assert part.notes == ("t.csv: 1 rank of people who wrote no review left out: Cara Chair",)


def test_two_columns_of_one_name_are_not_mixed(tmp_path: Path) -> None:
    text = "ID,Title,Ana Muñoz #~rank,Ana Muñoz #~rank\n1,One,1,2\n"
    with refused(r"several columns belong to one reviewer: 'Ana Muñoz #"):
        read(written(tmp_path, "t.csv", text), KNOWING)


def test_the_exporters_own_column_needs_a_name(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "ID,Title,#~rank\n1,One,1\n2,Two,2\n")
    with refused(r"column '#~rank' names nobody.*--ranker E-MAIL"):
        read(path, KNOWING)
    named = Options(known_reviewers=KNOWN, ranker=WEI)
    assert ranks_of(read(path, named)) == {(WEI, "1"): 1, (WEI, "2"): 2}


@pytest.mark.parametrize("cell", ["first", "1e3", "2147483648", "9" * 400, "1 2"])
def test_a_cell_that_is_no_rank_is_named(cell: str, tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", f"ID,Title,Ana Muñoz #~rank\n1,One,1\n2,Two,{cell}\n")
    with refused(r"t\.csv, line 3, 'Ana Muñoz #~rank': '.*' is no rank"):
        read(path, KNOWING)


def test_rankings_cannot_be_linked_to_reviews_without_authors() -> None:
    with refused(r"tags\.csv: the reviews do not say who wrote them.*chair"):
        import_files([FIXTURES / "aureviews.csv"], [FIXTURES / "tags.csv"])


def test_the_example_of_the_help_page(tmp_path: Path) -> None:
    path = tmp_path / f"{ANA}.txt"
    path.write_bytes((FIXTURES / "offline-rank.txt").read_bytes())
    part = read(path, KNOWING)
    expected = pl.DataFrame(
        {"reviewer": [ANA] * 5, "paper": ["8", "5", "1", "2", "4"], "rank": [1, 2, 2, 3, 5]}
    )
    assert_frame_equal(part.ranks.table, expected)
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
    assert ranked(text) == ranks
    path = written(tmp_path, f"{ANA}.txt", text.replace("\n", "\r\n"))
    assert reader_of(Source(path)).name == "hotcrp-ranking"
    assert ranks_of(read(path, KNOWING)) == {(ANA, paper): rank for paper, rank in ranks.items()}


def test_a_switch_of_tags_starts_anew(tmp_path: Path) -> None:
    text = "action,paper\ntag,~rank\n,1\n,2\ntag,~novelty\n,2\n,1\n"
    path = written(tmp_path, "wei.txt", text)
    assert ranks_of(read(path, KNOWING)) == {(WEI, "1"): 1, (WEI, "2"): 2}
    other = Options(known_reviewers=KNOWN, columns={"rank": "novelty"})
    assert ranks_of(read(path, other)) == {(WEI, "2"): 1, (WEI, "1"): 2}


def test_a_repeated_paper_is_noted(tmp_path: Path) -> None:
    part = read(written(tmp_path, "wei.txt", ",1\n,2\n,1\n"), KNOWING)
    assert part.notes == ("wei.txt: 1 line overruled by a later line for the same paper",)


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
    options = Options(known_reviewers=KNOWN, ranker=ranker)
    assert ranks_of(read(path, options)) == {(WEI, "1"): 1}


def test_nobody_can_be_told_from_the_name(tmp_path: Path) -> None:
    path = written(tmp_path, "conf-rank.txt", "action,paper\n,1\n")
    with refused(r"does not say whose.*'conf-rank'.*--ranker E-MAIL"):
        read(path, KNOWING)
    with refused(r"no review is by 'nobody@example\.org'"):
        read(path, Options(known_reviewers=KNOWN, ranker="nobody@example.org"))
    shared = KnownReviewers((*KNOWN, {"reviewer": "wei@other.example", "reviewer_name": "Wei"}))
    with refused(r"'wei' may be wei@example\.org or wei@other\.example"):
        read(
            written(tmp_path, "wei.txt", "action,paper\n,1\n"),
            Options(known_reviewers=KnownReviewers((shared[2], {"reviewer": "wei@other.example"}))),
        )


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
        reader.read(Source(path), KNOWING)


def test_user_item_rank_tables() -> None:
    part = read(FIXTURES / "ranks.csv", KNOWING)
    expected = pl.DataFrame(
        {"reviewer": [ANA, JEAN, WEI], "paper": ["1", "1", "2"], "rank": [2.0, 1.0, 1.5]}
    )
    assert_frame_equal(part.ranks.table, expected)
    assert places(part.ranks) == [f"ranks.csv, line {line}" for line in (2, 3, 4)]
    assert part.notes == ("ranks.csv: 1 line without a rank left out",)
    with refused(r"ranks\.csv: no review is by 'wei'"):
        read(FIXTURES / "ranks.csv", Options(known_reviewers=KnownReviewers(KNOWN[:2])))


def test_the_tag_line_of_older_versions(tmp_path: Path) -> None:
    text = "# Edit the rank order\n\nTag: ~rank\n\n\t8\tRooter\n=\t1\tCaches\n>>\t4\tControl\nX\t6\tOther\n"
    part = read(written(tmp_path, f"{WEI}.txt", text), KNOWING)
    assert part.ranks.table.select("paper", "rank").rows() == [("8", 1), ("1", 1), ("4", 3)]
    assert part.notes == (f"{WEI}.txt: 1 paper without a rank left out",)


def test_lines_before_the_tag_line_do_not_hide_the_ranking(tmp_path: Path) -> None:
    text = "X,6,E\naction,paper,title\ntag,~rank\n,8,A\n,5,B\n"
    part = read(written(tmp_path, f"{WEI}.txt", text), KNOWING)
    assert part.ranks.table.select("paper", "rank").rows() == [("8", 1), ("5", 2)]
    assert part.notes == (f"{WEI}.txt: 1 line of other tags than '~rank' left out",)


def test_a_tag_asked_for_must_be_there() -> None:
    asked = Options(known_reviewers=KNOWN, columns={"rank": "novel"})
    with refused(r"tags\.csv has no values of the tag 'novel', only of"):
        read(FIXTURES / "tags.csv", asked)


def test_assignments_of_scores_are_no_ranks(tmp_path: Path) -> None:
    header = "paper,action,tag,tag_value\n"
    scores = written(tmp_path, "scores.csv", header + "1,tag,~~dq_mean,3.5\n")
    assert not [reader.name for reader in hotcrp.READERS if reader.recognises(Source(scores))]
    ranks = written(tmp_path, "ranks.csv", header + f"1,tag,{ANA}~rank,2\n")
    part = read(ranks, Options(known_reviewers=KNOWN))
    assert part.ranks is not None
    assert part.ranks.table.rows() == [(ANA, "1", 2)]


def test_names_in_headers_may_end_with_a_line_break_of_html(tmp_path: Path) -> None:
    ranks = written(tmp_path, "ranks.csv", "ID,#~rank,Ana Muñoz<br>#~rank\n4,,6\n20,,3\n")
    part = read(ranks, Options(known_reviewers=KNOWN))
    assert part.ranks is not None
    assert part.ranks.table.rows() == [(ANA, "4", 6), (ANA, "20", 3)]
