"""Ranks of reviews that do not count, and what the files cannot tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unround
from tests.formats.given_files import imported, written
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options

HOTCRP = "paper,title,review,reviewername,email,Overall merit\n"
COMPARED = "Reviewer Email\tLeft\tOperator\tRight\n"
OPENREVIEW = "W.cc/2026"


def checked(tables: Tables) -> list[str]:
    """Return the kinds of issues in some tables."""
    return [str(issue.kind) for issue in unround.check(tables)]


def note_about(tables: Tables, words: str) -> str:
    """Return the only note with these words."""
    (note,) = (note for note in tables.notes if words in note)
    return note


class TestRanksOfReviewsWithoutAScore:
    def test_in_a_plain_table_they_are_set_aside_with_a_count(self, tmp_path: Path) -> None:
        reviews = "reviewer,paper,score\nann,1,3\nann,2,4\nann,3,\nbob,1,\nbob,2,2\n"
        ranks = "reviewer,paper,rank\nann,2,1\nann,3,2\nann,1,3\nbob,1,1\nbob,2,2\n"
        tables = imported(tmp_path, reviews, ranks)
        assert tables.rankings[0].rows() == [("ann", 2, 1), ("ann", 1, 3), ("bob", 2, 2)]
        assert note_about(tables, "set aside") == (
            "ranks of 2 reviews without a score set aside: paper 3 by ann, paper 1 by bob"
        )
        assert checked(tables) == []
        assert tables.place("rankings", 1) == "ranks.csv, line 4"

    def test_a_rank_without_any_review_is_still_reported(self, tmp_path: Path) -> None:
        ranks = "reviewer,paper,rank\nann,1,1\nann,2,2\nann,3,3\n"
        tables = imported(tmp_path, "reviewer,paper,score\nann,1,3\nann,3,\nbob,2,3\n", ranks)
        assert checked(tables) == ["unreviewed"]

    def test_of_two_exports_one_with_the_score_is_enough(self, tmp_path: Path) -> None:
        header = "reviewer,paper,score\n"
        early = written(tmp_path, "early.csv", f"{header}ann,1,3\nann,2,\n")
        late = written(tmp_path, "late.csv", f"{header}ann,2,4\n")
        ranks = written(tmp_path, "ranks.csv", "reviewer,paper,rank\nann,1,2\nann,2,1\n")
        tables = import_files([early, late], [ranks])
        assert tables.rankings[0].height == 2

    def test_pairs_and_ids_written_in_another_way(self, tmp_path: Path) -> None:
        reviews = "reviewer,paper,score\nann,1,3\nann,2,4\nann,3,\n"
        pairs = "reviewer,better,worse\nann,#2,#1\nann,#3,#1\n"
        tables = imported(tmp_path, reviews, pairs)
        assert tables.rankings[0].rows() == [("ann", 2, 1)]
        assert "comparisons with 1 review without a score set aside" in note_about(tables, "aside")

    def test_hotcrp_csv_and_somebody_without_any_score(self, tmp_path: Path) -> None:
        reviews = (
            f"{HOTCRP}1,One,1A,Ann Lee,ann@x.org,3\n1,One,1B,Bo Ng,bo@x.org,\n"
            "2,Two,2A,Ann Lee,ann@x.org,\n3,Three,3A,Ann Lee,ann@x.org,4\n"
        )
        ranks = "ID,Title,Ann Lee #~rank,Bo Ng #~rank\n1,One,2,1\n2,Two,3,\n3,Three,1,\n"
        tables = imported(tmp_path, reviews, ranks)
        assert tables.rankings[0].rows() == [("ann@x.org", 1, 2), ("ann@x.org", 3, 1)]
        assert "paper 2 by ann@x.org, paper 1 by bo@x.org" in note_about(tables, "set aside")

    def test_drafts_and_meta_reviews_of_hotcrp_json(self, tmp_path: Path) -> None:
        form = {"OveMer": {"name": "Overall merit", "values": ["a", "b", "c"]}}
        ann = {"reviewer": "Ann", "reviewer_email": "ann@x.org", "OveMer": 2}
        papers = [
            {"pid": 1, "title": "One", "reviews": [{**ann, "rid": 1, "status": "complete"}]},
            {"pid": 2, "title": "Two", "reviews": [{**ann, "rid": 2, "status": "draft"}]},
            {
                "pid": 3,
                "title": "3",
                "reviews": [{**ann, "rid": 3, "rtype": 5, "status": "complete"}],
            },
        ]
        document = {"hotcrp_version": "3", "reviewform": form, "papers": papers}
        rqc = written(tmp_path, "rqc.json", json.dumps(document))
        ranks = written(tmp_path, "ranks.csv", "ID,Title,Ann #~rank\n1,One,1\n2,Two,2\n3,3,3\n")
        tables = import_files([rqc], [ranks])
        assert tables.rankings[0].rows() == [("ann@x.org", 1, 1)]
        assert note_about(tables, "ranks of 1 review not submitted set aside: paper 2")
        assert note_about(tables, "ranks of 1 meta-review set aside: paper 3 by ann@x.org")

    def test_drafts_that_only_the_assignments_of_hotcrp_know(self, tmp_path: Path) -> None:
        reviews = written(tmp_path, "reviews.csv", f"{HOTCRP}1,One,1A,Ann,ann@x.org,3\n")
        assigned = "1,primaryreview,ann@x.org,R1,One\n2,pcreview,ann@x.org,R1,Two\n"
        assignments = written(tmp_path, "a.csv", f"paper,action,email,round,title\n{assigned}")
        ranks = written(tmp_path, "ranks.csv", "user,item,rank\nann@x.org,1,1\nann@x.org,2,2\n")
        tables = import_files([reviews, assignments], [ranks])
        assert tables.rankings[0].rows() == [("ann@x.org", 1, 1)]
        assert note_about(tables, "ranks of 1 review not submitted set aside: paper 2")

    def test_drafts_in_the_output_of_a_batch_script(self, tmp_path: Path) -> None:
        rows = "1,1A,ann@x.org,R1,,,submitted,3\n2,2A,ann@x.org,R1,,,draft,4\n"
        header = "pid,review,email,round,submitted_at,vtag,status,Overall merit\n"
        ranks = "user,item,rank\nann@x.org,1,1\nann@x.org,2,2\n"
        tables = imported(tmp_path, header + rows, ranks)
        assert tables.rankings[0].height == 1
        assert note_about(tables, "ranks of 1 review not submitted set aside")

    def test_cmt(self, tmp_path: Path) -> None:
        header = "Paper ID,Paper Title,Reviewer Name,Reviewer Email,Q1 (Overall score - Value)\n"
        rows = "1,One,Ann,ann@x.org,3\n2,Two,Ann,ann@x.org,\n3,Three,Ann,ann@x.org,4\n"
        compared = "ann@x.org\t1\tPreferredOver\t2\nann@x.org\t3\tComparable\t2\n"
        more = "ann@x.org\t3\tPreferredOver\t1\n"
        tables = imported(tmp_path, header + rows, COMPARED + compared + more)
        assert tables.rankings[0].rows() == [("ann@x.org", 3, 1)]
        assert tables.same.height == 0
        assert note_about(tables, "comparisons with 1 review without a score set aside: paper 2")

    @pytest.mark.parametrize("gone", [{"content": {"review": {"value": "-"}}}, {"ddate": 5}])
    def test_openreview(self, gone: dict[str, object], tmp_path: Path) -> None:
        papers = []
        for number in (1, 2):
            invitation = f"{OPENREVIEW}/Submission{number}/-/Official_Review"
            reply = {
                **{"id": f"r{number}", "forum": f"f{number}", "replyto": f"f{number}"},
                **{"invitations": [invitation], "signatures": ["~Ann_Lee1"]},
                **{"content": {"rating": {"value": 4}}, **(gone if number == 2 else {})},
            }
            papers.append(
                {
                    **{"id": f"f{number}", "forum": f"f{number}", "number": number},
                    **{"content": {"title": {"value": "T"}}, "details": {"replies": [reply]}},
                }
            )
        tags = [
            {
                **{"id": f"t{number}", "invitation": f"{OPENREVIEW}/Reviewers/-/Paper_Ranking"},
                **{"forum": f"f{number}", "signature": "~Ann_Lee1", "tag": f"{number} of 2"},
            }
            for number in (1, 2)
        ]
        notes = written(tmp_path, "notes.json", json.dumps(papers))
        tables = import_files([notes], [written(tmp_path, "tags.json", json.dumps(tags))])
        assert tables.rankings[0].rows() == [("~Ann_Lee1", 1, 1)]
        why = "without a score" if "content" in gone else "that was deleted"
        assert note_about(tables, f"ranks of 1 review {why} set aside: paper 2 by ~Ann_Lee1")


def test_withdrawn_papers_are_counted_once(tmp_path: Path) -> None:
    reviews = "reviewer,paper,score,decision\nann,1,3,\nann,2,,withdrawn\nbob,2,3,withdrawn\n"
    ranks = written(tmp_path, "r.csv", "reviewer,paper,rank\nann,1,1\nann,2,2\n")
    tables = import_files([written(tmp_path, "t.csv", reviews)], [ranks], Options())
    assert tables.rankings[0].height == 1
    assert not any("set aside" in note for note in tables.notes)
