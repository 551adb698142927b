"""Tables as chairs have them: their headers, titles, cells, and many papers in a row."""

from pathlib import Path

import polars as pl
import pytest

import unround
from tests.formats.given_files import imported, refused, workbook
from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options
from unround.formats.systems.plain import columns_by_role


def ranked(folder: Path, ranks: str) -> Tables:
    return imported(folder, "reviewer,paper,score\nann,1,3\nann,2,3\nann,3,3\nbob,1,4\n", ranks)


class TestHeaders:
    @pytest.mark.parametrize(
        "header",
        [
            "Reviewer Name,Paper ID,Overall Recommendation",
            "Referee,Manuscript,Overall Merit",
            "Reviewer,Submission Number,Total Score",
            "Reviewer,Paper,Score (1-10)",
            "reviewer name,paper no.,Rating [0 to 10]",
            "Email,Submission #,Overall evaluation",
            "Reviewer E-mail,PaperID,Final rating",
            "PC member,Submission,Points",
            "profileID,forum,overall_assessment",
            "ReviewerId,PaperId,OveMer",
            "Referee e-mail,Manuscript Number,Recommendation",
            "user,item,grade",
            "REVIEWER_ID,Paper-ID,overall_rating",
        ],
    )
    def test_reviews(self, header: str):
        names = header.split(",")
        columns = columns_by_role(names, {})
        assert [columns[role] for role in ("reviewer", "paper", "score")] == names

    @pytest.mark.parametrize(
        "header", ["Place", "Rank (1 = best)", "Ranking", "My rank", "Position"]
    )
    def test_ranks(self, tmp_path: Path, header: str):
        found = ranked(tmp_path, f"Referee,Paper ID,{header}\nann,1,1st\nann,2,2nd\n")
        assert found.rankings[0].rows() == [("ann", 1, 1), ("ann", 2, 2)]
        assert f"rank from '{header}'" in found.recognised[1]

    def test_the_most_telling_column_is_taken_and_the_name_is_kept(self):
        columns = columns_by_role(["Reviewer Name", "Reviewer Email", "Paper", "Score"], {})
        assert columns["reviewer"] == "Reviewer Email"
        assert columns["reviewer_name"] == "Reviewer Name"
        columns = columns_by_role(["email", "reviewer", "paper", "rating", "score"], {})
        assert (columns["reviewer"], columns["score"]) == ("reviewer", "score")

    def test_what_is_lacking_is_said(self, tmp_path: Path):
        with refused(
            r"t.csv is a table, but no column is the reviewer: 'Paper ID' was taken for the paper, "
            r"'Score \(1-10\)' was taken for the score; nothing is known of 'Comments'. "
            r"Name what is missing: --column reviewer=.."
        ):
            imported(tmp_path, "Paper ID,Score (1-10),Comments\n1,5,fine\n")

    def test_headers_of_qualtrics(self, tmp_path: Path):
        """The questions' texts and ids stand below their numbers."""
        ids = ",".join(f'"{{""ImportId"":""QID{n}""}}"' for n in (1, 2, 3))
        text = f"Q1,Q2,Q3\nYour name,Paper number,Overall score\n{ids}\nann,1,5\nbob,1,4\n"
        columns = {"reviewer": "Q1", "paper": "Q2", "score": "Q3"}
        found = imported(tmp_path, text, columns=columns)
        assert found.reviews.rows() == [("ann", 1, 5), ("bob", 1, 4)]
        assert found.place("reviews", 0) == "t.csv, line 4"

    def test_words_are_no_ranks(self, tmp_path: Path):
        with refused(r"ranks.csv: 'rank' holds 'first', which is no rank; write 1, 2, 3"):
            ranked(tmp_path, "reviewer,paper,rank\nann,1,first\nann,2,second\n")

    def test_columns_that_may_hold_the_score_are_offered(self, tmp_path: Path):
        with refused("--field score_after --field score_before for the first that is filled"):
            imported(tmp_path, "reviewer,paper,score_before,score_after\nann,1,5,4\n")
        for name in ("final marks", "Schulnote"):
            with refused(f"Name what is missing: --column '?score={name}'?$"):
                imported(tmp_path, f"reviewer,paper,{name}\nann,1,5\n")

    def test_scores_and_ranks_upside_down_are_not_taken_in_silence(self, tmp_path: Path):
        text = "reviewer,paper,Score (1 = best)\nann,1,2\n"
        doubt = imported(tmp_path, text).scale_doubt
        assert "say that low scores are best" in doubt
        assert "--scale 2..1 if 1 is best, or --scale 1..2" in doubt
        assert not imported(tmp_path, text.replace("best", "worst")).scale_doubt
        german = "reviewer,paper,score\nann,1,1 - sehr gut\nann,2,5 - mangelhaft\n"
        assert "may say that low scores are best" in imported(tmp_path, german).scale_doubt
        assert not imported(tmp_path, german.replace("sehr gut", "mangelhaft")).scale_doubt
        assert not imported(tmp_path, german.replace(" - ", " or 2 good ")).scale_doubt
        with refused(r"for which rank 1 is best: turn the numbers round"):
            ranked(tmp_path, "reviewer,paper,Rank (1 = worst)\nann,1,1\n")


class TestTwoHeaderRows:
    """Names that are repeated below merged cells have these before them."""

    ROWS = "ann,1,3,1,4,2\nbob,1,2,1,,\n"
    FILES = (
        ",,Round 1,,Round 2,\nReviewer,Paper,Score,Conf,Score,Conf\n",
        "Reviewer,Paper,Round 1,,Round 2,\n,,Score,Conf,Score,Conf\n",
        "All reviews,,,,,\n,,Round 1,Round 1,Round 2,Round 2\nReviewer,Paper,Score,Conf,Score,Conf\n",
    )

    @pytest.mark.parametrize("header", FILES)
    def test_which_is_asked_and_taken(self, tmp_path: Path, header: str):
        asks = (
            "Name what is missing: --column 'score=Round 1 Score' or --column 'score=Round 2 Score'"
        )
        with refused(f"no column is the score.*{asks}"):
            imported(tmp_path, header + self.ROWS)
        found = imported(tmp_path, header + self.ROWS, columns={"score": "Round 1 Score"})
        assert found.reviews["score"].to_list() == [3, 2]
        assert ("above the header" in str(found.notes)) == header.startswith("All")
        rows = [line.split(",") for line in (header + self.ROWS).splitlines()]
        book = workbook(tmp_path / "b.xlsx", page=rows)
        fields = ("Round 2 Score", "Round 1 Score")
        found = import_files([book], options=Options(score_fields=fields))
        assert found.reviews["score"].to_list() == [4, 2]

    def test_names_above_that_are_known_and_names_below_that_are_not(self, tmp_path: Path):
        known = "Reviewer,Paper,Originality,,Overall,\n,,Score,Text,Score,Text\n"
        found = imported(tmp_path, known + self.ROWS)
        assert found.reviews["score"].to_list() == [4]
        assert "score from 'Overall Score'" in found.recognised[0]
        names = ",,First,,Second,\nWho,What,Level,Text,Level,Text\n"
        with refused("'Who', 'What', 'First Level', 'First Text', 'Second Level', 'Second Text'"):
            imported(tmp_path, names + self.ROWS)
        columns = {"reviewer": "Who", "paper": "What", "score": "First Level"}
        found = imported(tmp_path, names + self.ROWS, columns=columns)
        assert found.reviews["score"].to_list() == [3, 2]
        words = imported(tmp_path, "reviewer,paper,score,text\nann,P,B,B\nbob,Q,A,A\n")
        assert words.reviews["score"].to_list() == ["B", "A"]

    def test_rows_of_numbers_are_no_header(self, tmp_path: Path):
        rows = "#,total score,member,number,total score\n1,1,7A,7A,4\n1,2,7A,7A,2\n1,1,7B,7B,3\n"
        with refused("total score"):
            imported(tmp_path, rows)

    def test_phases_and_titles_above(self, tmp_path: Path):
        phases = (
            self.FILES[0].replace("Round 1", "Before rebuttal").replace("Round 2", "After rebuttal")
        )
        with refused(
            "--field 'After rebuttal Score' --field 'Before rebuttal Score' for the first"
        ):
            imported(tmp_path, phases + self.ROWS)
        twice = "Export of May,,,\nreviewer,paper,score,score\nann,1,3,4\n"
        with refused("the column 'score' more than once"):
            imported(tmp_path, twice)


class TestReviewers:
    def test_numbers_within_each_paper_may_not_be_people(self, tmp_path: Path):
        rows = "".join(f"Reviewer {n % 3 + 1},{n // 3},{n % 5}\n" for n in range(90))
        [note] = imported(tmp_path, "reviewer,paper,score\n" + rows).notes
        assert note.startswith(
            "t.csv: 3 reviewers (Reviewer 1, Reviewer 2, Reviewer 3) taken for people; if these number"
        )
        people = rows.replace("Reviewer ", "ann@x.org")
        assert not imported(tmp_path, "reviewer,paper,score\n" + people).notes


class TestTitles:
    TABLE = "reviewer,paper,score\nann,1,3\nbob,1,4\n"

    @pytest.mark.parametrize(
        "above",
        [
            "Reviews of the conference\n",
            "Reviews of the conference,,\nExported by the chairs; 3 May,2026,\n\n",
            "Reviews, as exported on 3 May\n,,\n",
        ],
    )
    def test_rows_above_the_header_are_passed_over(self, tmp_path: Path, above: str):
        found = imported(tmp_path, above + self.TABLE)
        assert found.reviews.rows() == [("ann", 1, 3), ("bob", 1, 4)]
        assert found.place("reviews", 0) == f"t.csv, line {above.count(chr(10)) + 2}"
        assert "above the header passed over" in found.notes[0]

    @pytest.mark.parametrize(
        ("above", "mark"),
        [
            ("Reviews, by paper, of 2026", ";"),
            *((above, mark) for mark in ";\t|," for above in (f"sep={mark}", f'"sep={mark}"')),
        ],
    )
    def test_titles_and_statements_of_a_delimiter(self, tmp_path: Path, above: str, mark: str):
        text = f"{above}\r\n" + self.TABLE.replace(",", mark).replace("\n", "\r\n")
        found = imported(tmp_path, text)
        assert found.reviews.rows() == [("ann", 1, 3), ("bob", 1, 4)]
        assert found.place("reviews", 0) == "t.csv, line 3"

    def test_repeated_headers_are_left_out_and_reported(self, tmp_path: Path):
        found = imported(tmp_path, self.TABLE + self.TABLE.replace("1,", "2,"))
        assert found.reviews["paper"].to_list() == [1, 1, 2, 2]
        assert found.place("reviews", 2) == "t.csv, line 5"
        assert found.notes == ("t.csv: 1 row left out as copies of the header",)


class TestCells:
    @pytest.mark.parametrize(
        ("cells", "scores"),
        [
            (["7,5", "8"], [7.5, 8.0]),
            (["8 - accept", "7-weak accept"], [8, 7]),
            (["\N{MINUS SIGN}2", "+1"], [-2, 1]),
            (["1", "2.5"], [1.0, 2.5]),
            (["3.0", "4.00"], [3, 4]),
            (["A", "B"], ["A", "B"]),
            (["A: excellent", "B. fair"], ["A", "B"]),
            (["6: weak accept", "3.5 = borderline"], [6.0, 3.5]),
            (["6 (weak accept)", "007"], [6, 7]),
            (["8: top 50%", "9: Top 5-15% of them"], [8, 9]),
            (["1", "B"], ["1", "B"]),
            (["1e3", "1"], ["1e3", "1"]),
        ],
    )
    def test_scores(self, tmp_path: Path, cells: list[str], scores: list[object]):
        rows = "".join(f"r{number};1;{cell}\n" for number, cell in enumerate(cells))
        found = imported(tmp_path, "reviewer;paper;score\n" + rows)
        assert found.reviews["score"].to_list() == scores
        assert not found.notes

    @pytest.mark.parametrize("date", ["3-Apr", "3 May 2026", "2026-03-04", "3/4/2026", "1,000"])
    def test_what_may_not_be_a_score_stays_as_it_is(self, tmp_path: Path, date: str):
        found = imported(tmp_path, f"reviewer;paper;score\nann;1;{date}\nbob;1;4\n")
        assert found.reviews["score"].to_list() == [date, "4"]
        if date != "1,000":
            with refused(f"scores are dates, such as '{date}'. Spreadsheets turn 4/5 into a date"):
                imported(tmp_path, f"reviewer;paper;score\nann;1;{date}\n")

    @pytest.mark.parametrize(
        "cell",
        [
            *("3 (upd. 4)", "3. 4", "3 conf. 4", "3 (conf. 2)", "5 (confidence 2)", "3 (prev: 5)"),
            *(
                "3 (was 4)",
                "3: see 4",
                "Grade: 3 (4)",
                "3 / 5 (4)",
                "3 (R2)",
                "3 \u00bd",
                "3 \u2463",
            ),
            *("3 (\u0664)", "3 ?", "3 +", "3 -", "3 ~", "60% (3)", "60 % accept", "8: 50% sure"),
            *("Accept (8)", "Score: 8", "8/10", "8 out of 10", "60%"),
        ],
    )
    def test_a_second_number_or_a_sign_makes_no_score(self, tmp_path: Path, cell: str):
        found = imported(tmp_path, f"reviewer;paper;score\nann;1;{cell}\nbob;1;4\n")
        assert found.reviews["score"].to_list() == [cell, "4"]

    def test_a_bad_cell_is_named_by_its_line(self, tmp_path: Path):
        rows = "".join(f"r{n},1,{'TBD' if n == 17 else n % 5 + 1}\n" for n in range(40))
        found = imported(tmp_path, "reviewer,paper,score\n" + rows)
        [issue] = unround.check(found.reviews)
        assert "'TBD'" in issue.message
        assert [found.place("reviews", row) for row in issue.rows] == ["t.csv, line 19"]


class TestWide:
    def test_orders_lists_and_neither(self, tmp_path: Path):
        found = ranked(tmp_path, "Reviewer,Ranking\nann,2 > 1 = 3\nbob,\n")
        assert found.rankings[0].rows() == [("ann", 2, 1), ("ann", 1, 2), ("ann", 3, 2)]
        assert found.place("rankings[0]", 2) == "ranks.csv, line 2"
        assert "'Ranking' taken for orders, best first, as in '2 > 1 = 3'" in found.notes[0]
        for order in ("2, 1, 3", "[2, 1, 3]", '"[""2"", ""1"", ""3""]"'):
            found = ranked(tmp_path, f"Reviewer;Ranking\nann;{order}\n")
            assert found.rankings[0].rows() == [("ann", 2, 1), ("ann", 1, 2), ("ann", 3, 3)]
        with refused(r"'Ranking' holds neither orders such as 'A > B > C'"):
            ranked(tmp_path, "Reviewer,Ranking\nann,1\nbob,2\n")

    @pytest.mark.parametrize(
        "names", ["Rank 1,Rank 2,Rank 3", "1st,2nd,3rd", "1st choice,2nd choice,Place 3"]
    )
    def test_rank_columns(self, tmp_path: Path, names: str):
        found = ranked(tmp_path, f"Reviewer,{names}\nann,2,3,1\nbob,1,,\n")
        rows = sorted(found.rankings[0].rows())
        assert rows == [("ann", 1, 3), ("ann", 2, 1), ("ann", 3, 2), ("bob", 1, 1)]

    @pytest.mark.parametrize("ranks", [[1, 2], ["1", "1,234"]])
    def test_ranks_without_papers_are_no_orders(self, tmp_path: Path, ranks: list[object]):
        pl.DataFrame({"reviewer": ["ann", "bob"], "rank": ranks}).write_parquet(
            tmp_path / "r.parquet"
        )
        with refused(r"no column is the paper"):
            import_files([tmp_path / "r.parquet"])

    def test_numbers_for_reviewers_and_papers(self, tmp_path: Path):
        wide = pl.DataFrame({"reviewer": [7, 8], "Rank 1": [0, 5], "Rank 2": [5, None]})
        wide.write_parquet(tmp_path / "r.parquet")
        reviews = tmp_path / "reviews.csv"
        reviews.write_text("reviewer,paper,score\n7,0,3\n7,5,3\n8,5,2\n", "utf-8")
        found = import_files([reviews], [tmp_path / "r.parquet"])
        assert sorted(found.rankings[0].rows()) == [(7, 0, 1), (7, 5, 2), (8, 5, 1)]

    def test_papers_by_reviewers(self, tmp_path: Path):
        text = "Paper,Title,ann@x.org,bob@x.org,eve@x.org\n1,One,3,,5\n2,Two,4,2,-\n"
        found = imported(tmp_path, text)
        assert sorted(found.reviews.rows()) == [
            ("ann@x.org", 1, 3), ("ann@x.org", 2, 4), ("bob@x.org", 2, 2), ("eve@x.org", 1, 5),
        ]  # fmt: skip
        assert "taken for papers x reviewers: 4 scores, 3 columns" in found.notes[0]

    def test_reviews_numbered_within_each_paper(self, tmp_path: Path):
        found = imported(tmp_path, "Paper,Reviewer 1,Reviewer 2,Reviewer 3\n1,3,5,\n2,4,2,1\n")
        assert found.reviews["reviewer"].n_unique() == 5
        assert "each review counts as a reviewer of its own" in found.notes[0]

    @pytest.mark.parametrize("names", [["R1", "R2", "R3"], [17, 23, 40]])
    def test_reviewers_who_skip_papers_are_people(self, tmp_path: Path, names: list[object]):
        header = ",".join(map(str, ["Paper", *names]))
        found = imported(tmp_path, f"{header}\n1,3,,5\n2,,2,1\n")
        assert sorted(found.reviews["reviewer"].unique()) == names

    def test_reviewers_by_papers(self, tmp_path: Path):
        found = imported(tmp_path, "Reviewer,Paper 1,Paper 2\nann,3,4\nbob,,2\n")
        assert sorted(found.reviews.rows()) == [
            ("ann", "Paper 1", 3), ("ann", "Paper 2", 4), ("bob", "Paper 2", 2),
        ]  # fmt: skip
        total = imported(tmp_path, "Reviewer,Paper 1,Paper 2,Total\nann,3,4,7\nbob,,2,2\n")
        assert total.reviews.rows() == found.reviews.rows()
        assert total.notes[0].endswith("; 'Total' not used")

    @pytest.mark.parametrize(
        ("header", "words"),
        [
            ("Paper,Novelty,Clarity", "If each of the others is a reviewer, let their e-mail"),
            (",Reviewer 1,Reviewer 2", "the first column holds the papers, call it 'paper'"),
        ],
        ids=["words above columns may be criteria", "the first column has no name"],
    )
    def test_a_matrix_that_is_asked_about(self, tmp_path: Path, header: str, words: str):
        with refused(words):
            imported(tmp_path, f"{header}\n1,3,5\n2,4,2\n")

    def test_a_matrix_of_ranks(self, tmp_path: Path):
        found = ranked(tmp_path, "Reviewer,1,2,3\nann,2,1,3\n")
        assert sorted(found.rankings[0].rows()) == [("ann", 1, 2), ("ann", 2, 1), ("ann", 3, 3)]

    def test_who_reviews_what_is_no_score(self, tmp_path: Path):
        people = "Paper,Reviewer 1,Reviewer 2\n1,Ann Lee,Bob Ray\n2,Eve Orr,Ann Lee\n"
        with refused(r"no column is the reviewer or the score"):
            imported(tmp_path, people)
