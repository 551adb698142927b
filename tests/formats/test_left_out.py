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


RQC_ADVICE = "JSON for reviewqualitycollector.org of all papers says both"
LIST = "ID,Title,Status\n"
CMT = "Paper ID,Paper Title,Reviewer Name,Reviewer Email,Q1 (Overall score - Value)\n"
PRETALX = "Proposal ID,Proposal title,Reviewer name,Reviewer email,Score,Quality\n"
RECIPE = "forum,profileID,title,review,rating,confidence\nf1,~A1,T,R,3,3\nf2,~A1,T,R,4,3\n"
MERITS = "1,One,1A,Ann,ann@x.org,3\n2,Two,2A,Ann,ann@x.org,4\n3,Three,3A,Ann,ann@x.org,4\n"


class TestWhatFilesCannotTell:
    def notes(self, folder: Path, reviews: str, *others: str, **options: object) -> str:
        """Return the notes on reviews and other files, one to a line."""
        files = [
            written(folder, f"{number}.csv", text) for number, text in enumerate((reviews, *others))
        ]
        return "\n".join(import_files(files, options=Options(**options)).notes)

    def test_of_hotcrp_meta_reviews_and_withdrawn_papers(self, tmp_path: Path) -> None:
        notes = self.notes(tmp_path, HOTCRP + MERITS)
        assert "No file says which reviews are meta-reviews" in notes
        assert "PC assignments" in notes
        assert "or which papers are withdrawn or desk-rejected" in notes
        assert "Paper information (CSV) of all papers" in notes

    def test_each_is_no_longer_said_once_a_file_tells_it(self, tmp_path: Path) -> None:
        listed = f"{LIST}1,One,Submitted\n2,Two,Withdrawn\n3,Three,Rejected\n"
        assigned = "paper,action,email,round,title\n1,pcreview,ann@x.org,R1,One\n"
        notes = self.notes(tmp_path, HOTCRP + MERITS, listed)
        assert "withdrawn or desk-rejected" not in notes
        assert "1 review of 1 withdrawn paper (2) left out" in notes
        assert "which reviews are meta-reviews" in notes
        assert "meta-reviews" not in self.notes(tmp_path, HOTCRP + MERITS, assigned)
        assert "No file says" not in self.notes(tmp_path, HOTCRP + MERITS, listed, assigned)
        with_all = self.notes(tmp_path, HOTCRP + MERITS, keep_withdrawn=True)
        assert "withdrawn" not in with_all

    def test_a_list_without_statuses_does_not_tell(self, tmp_path: Path) -> None:
        notes = self.notes(tmp_path, HOTCRP + MERITS, "ID,Title\n1,One\n2,Two\n3,Three\n")
        assert "which papers are withdrawn or desk-rejected" in notes

    def test_a_list_that_lacks_papers_with_reviews(self, tmp_path: Path) -> None:
        listed = f"{LIST}1,One,Submitted\n9,Nine,Submitted\n"
        notes = self.notes(tmp_path, HOTCRP + MERITS, listed)
        assert "2 papers with reviews are in no list of papers (2, 3)" in notes
        plain = self.notes(tmp_path, "reviewer,paper,score\na,1,2\na,2,3\n", "paper,title\n1,One\n")
        assert "1 paper with reviews is in no list of papers (2)" in plain

    def test_reviews_of_the_api_do_not_mark_papers(self, tmp_path: Path) -> None:
        review = {"object": "review", "pid": 1, "rid": 1, "reviewer_email": "a@x", "OveMer": 2}
        api = written(tmp_path, "api.json", json.dumps({"ok": True, "reviews": [review]}))
        (note,) = import_files([api]).notes
        assert "which papers are withdrawn or desk-rejected" in note
        assert "meta-review" not in note
        paper = {"object": "paper", "pid": 1, "status": "submitted", "reviews": [review]}
        assert import_files([written(tmp_path, "p.json", json.dumps([paper]))]).notes == ()

    @pytest.mark.parametrize(
        ("reviews", "advice", "tells"),
        [
            (
                f"{CMT}1,One,Ann,a@x.org,3\n",
                "submissions",
                "Paper ID,Paper Title,Track Name,Status\n1,One,T,Reject\n",
            ),
            (
                f"{PRETALX}A,One,Ann,a@x.org,1,1\n",
                "sessions",
                "ID,Proposal title,Proposal state\nA,One,submitted\n",
            ),
            (RECIPE, "notes as JSON", ""),
        ],
        ids=["cmt", "pretalx", "openreview"],
    )
    def test_of_other_systems(self, reviews: str, advice: str, tells: str, tmp_path: Path) -> None:
        options = {"score_fields": ("Quality",)} if reviews.startswith("Proposal") else {}
        notes = self.notes(tmp_path, reviews, **options)
        assert "which papers are withdrawn" in notes
        assert advice in notes.partition("No file says")[2]
        if tells:
            assert "No file says" not in self.notes(tmp_path, reviews, tells, **options)

    def test_of_easychair(self, tmp_path: Path) -> None:
        header = "#,submission #,member #,member name,number,version,text,scores,total score,"
        header += (
            "reviewer first name,reviewer last name,reviewer email,reviewer person #,date,time\n"
        )
        reviews = f"{header}1,1,1,Ann Lee,1,1,-,Overall evaluation: 2,2,,,,,2026-01-02,12:00\n"
        notes = self.notes(tmp_path, reviews)
        assert "which papers are withdrawn or desk-rejected" in notes
        submissions = "#,title,authors,decision,deleted?\n1,One,-,no decision,no\n"
        assert "No file says" not in self.notes(tmp_path, reviews, submissions)


class TestHiddenRanks:
    def test_of_conflicts_of_whoever_exported(self, tmp_path: Path) -> None:
        reviews = written(tmp_path, "reviews.csv", HOTCRP + MERITS)
        rows = "1,One,Conflict,Submitted,\n2,Two,,Submitted,1\n3,Three,Lead; Conflict,Submitted,\n"
        ranks = written(tmp_path, "ranks.csv", f"ID,Title,Review,Status,Ann #~rank\n{rows}")
        (note,) = (one for one in import_files([reviews], [ranks]).notes if "conflict" in one)
        assert note.startswith("ranks.csv: 2 papers conflict with the account that exported")
        assert "Override conflicts" in note
        overridden = rows.replace("Conflict,Submitted,\n2", "Conflict,Submitted,2\n2")
        ranks.write_text(f"ID,Title,Review,Status,Ann #~rank\n{overridden}")
        assert not any("conflict" in one for one in import_files([reviews], [ranks]).notes)

    def hidden(self, folder: Path, ranks: dict[str, str]) -> list[str]:
        """Return the notes on papers that nobody ranks, where each reviews 13 papers but ranks some."""
        papers = range(1, 14)
        reviews = "".join(f"{who},{paper},3\n" for who in ranks for paper in papers)
        rows = "".join(
            f"{who},{paper},{rank}\n"
            for way, who in zip((1, -1), ranks, strict=True)
            for rank, paper in enumerate(ranks[who].split()[::way], start=1)
        )
        tables = imported(
            folder, f"reviewer,paper,score\n{reviews}", f"reviewer,paper,rank\n{rows}"
        )
        return [note for note in tables.notes if "nobody" in note]

    def test_a_paper_that_nobody_ranks_while_all_others_have_ranks(self, tmp_path: Path) -> None:
        all_but_13 = " ".join(map(str, range(1, 13)))
        (note,) = self.hidden(tmp_path, {"ann": all_but_13, "bob": all_but_13})
        assert note.startswith("nobody ranks 1 paper (13), though 2 or more people who rank others")
        assert self.hidden(tmp_path, {"ann": all_but_13, "bob": "1 2 13"}) == []
        assert self.hidden(tmp_path, {"ann": "1 2 3", "bob": "3 4 5"}) == []


def test_notes_on_many_files_are_counted_together(tmp_path: Path) -> None:
    files = [
        written(tmp_path, f"{n}.csv", f"reviewer,paper,score\na{n},1,3\na{n},2,\n")
        for n in range(9)
    ]
    notes = import_files(files).notes
    assert notes == ("0.csv and 8 more like it: 1 review without a score left out",)
