"""One reading or a question: files that can be read in two ways are never accepted without a word.

Each class spoils a drawn conference in one way, and names the answers that the question must offer.
"""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import unround
from tests.formats.given_files import workbook, written
from unround.cli.commands.run import command
from unround.errors import UnroundError
from unround.wording import COMMAND, written_for

Row = tuple[str, int, int]  # reviewer, paper, score
Holds = Callable[[unround.Tables], object]
EXAMPLES = Path(__file__).parents[2] / "examples"
PEOPLE = [f"{name}@x.org" for name in ("ann", "bob", "cem", "dua", "eva", "fay")]


@dataclass
class Answer:
    """Options, and what must hold of the tables that are read with them."""

    holds: Holds
    options: dict[str, Any] = field(default_factory=dict)
    scale: str | None = None


@dataclass
class Case:
    """Files that can be read in two ways."""

    files: dict[str, str]
    answers: list[Answer]


def table(rows: list[tuple[object, ...]] | list[Row], *header: str) -> str:
    named = header or ("reviewer", "paper", "score")
    return "\n".join(",".join(map(str, row)) for row in (named, *rows)) + "\n"


def height(expected: int) -> Holds:
    return lambda tables: tables.reviews.height == expected


CMT = "Reviewer Email", "Paper ID", "Q1 (Overall score - Value)"
ALWAYS: Holds = lambda tables: True  # noqa: E731
EITHER_END = [Answer(ALWAYS, scale="5..1"), Answer(ALWAYS, scale="1..5")]
Spoil = Callable[[list[Row]], Case]


def scores_called(name: str) -> Spoil:
    """A column's name whose labels say, or may say, that 1 is best."""
    return lambda rows: Case({"r.csv": table(rows, "reviewer", "paper", name)}, EITHER_END)


def labels_in_cells(rows: list[Row]) -> Case:
    words = ["strong accept", "accept", "borderline", "reject", "strong reject"]
    labelled = [(who, paper, f"{score}: {words[score - 1]}") for who, paper, score in rows]
    return Case({"r.csv": table(labelled)}, EITHER_END)


def letters(symbols: str, scale: str) -> Spoil:
    """Letters for the scores 1 to 5."""

    def spoil(rows: list[Row]) -> Case:
        coded = [(who, paper, symbols[score - 1]) for who, paper, score in rows]
        return Case({"r.csv": table(coded)}, [Answer(height(len(rows)), scale=scale)])

    return spoil


def no_review(number: int, people: int, *others: str, header: tuple[str, ...] = ()) -> Spoil:
    """A number for "no review"; on other scales it counts."""

    def spoil(rows: list[Row]) -> Case:
        absent = [(f"late{n}@x.org", row[1], number) for n in range(people) for row in rows[:3]]
        counted = [Answer(height(len(rows + absent)), scale=scale) for scale in others]
        missing = Answer(height(len(rows)), {"missing": {"score": f"{number}"}})
        return Case({"r.csv": table(rows + absent, *header)}, [missing, *counted])

    return spoil


def ranked(rows: list[Row], unranked: object) -> str:
    """Every reviewer's papers in the order of their scores, the last one not ranked."""
    found: list[tuple[object, ...]] = []
    for number, who in enumerate(dict.fromkeys(row[0] for row in rows)):
        papers = [row for row in rows if row[0] == who]
        papers = sorted(papers[number:] + papers[:number], key=lambda row: -row[2])
        found += [(*row, rank) for rank, row in enumerate(papers[:-1], start=1)]
        found.append((*papers[-1], unranked))
    return table(found, "reviewer", "paper", "score", "rank")


def rank_count(expected: int) -> Holds:
    return lambda tables: sum(frame.height for frame in tables.ranking_tables) == expected


def no_rank(number: int) -> Spoil:
    """A number for "not ranked"."""

    def spoil(rows: list[Row]) -> Case:
        people = len({row[0] for row in rows})
        return Case(
            {"r.csv": ranked(rows, number)},
            [
                Answer(rank_count(len(rows) - people), {"missing": {"rank": f"{number}"}}),
                Answer(rank_count(len(rows)), {"missing": {"rank": ""}}),
            ],
        )

    return spoil


def two_tracks(rows: list[Row]) -> Case:
    one = [(*row, f"Title A{row[1]}") for row in rows]
    other = [(who.upper() + "B", paper, score, f"Title B{paper}") for who, paper, score in rows]
    papers = len({row[1] for row in rows})
    header = "reviewer", "paper", "score", "title"
    return Case(
        {"a.csv": table(one, *header), "b.csv": table(other, *header)},
        [
            Answer(lambda t: t.papers.height == 2 * papers, {"columns": {"paper": "title"}}),
            Answer(lambda t: t.papers.height == papers, {"match_ids": "always"}),
        ],
    )


def two_emails(rows: list[Row]) -> Case:
    mails = [(who, paper, score, f"{who[:3]}{paper % 2}@y.org") for who, paper, score in rows]
    header = "reviewer", "paper", "score", "reviewer email"
    names = "reviewer email", "reviewer"
    return Case(
        {"r.csv": table(mails, *header)},
        [Answer(height(len(rows)), {"columns": {"reviewer": name}}) for name in names],
    )


def ids_in_two_spellings(change: Callable[[Row], tuple[object, ...]]) -> Spoil:
    def spoil(rows: list[Row]) -> Case:
        people, papers = len({row[0] for row in rows}), len({row[1] for row in rows})

        def count(extra: int) -> Holds:
            return lambda t: (
                t.reviews["reviewer"].n_unique() + t.reviews["paper"].n_unique()
                == people + papers + extra
            )

        return Case(
            {"r.csv": table([change(rows[0]), *rows[1:]])},
            [Answer(count(0), {"match_ids": "always"}), Answer(count(1), {"match_ids": "never"})],
        )

    return spoil


def row_of(word: str) -> Spoil:
    """A last row that sums up the others."""
    return lambda rows: Case(
        {"r.csv": table([*rows, (word, 1, 3)])},
        [
            Answer(height(len(rows)), {"missing": {"reviewer": word}}),
            Answer(height(len(rows) + 1), {"missing": {"reviewer": ""}}),
        ],
    )


def two_scores(one: str, other: str) -> Spoil:
    def first(score: int) -> Holds:
        return lambda t: t.reviews["score"][0] == score

    return lambda rows: Case(
        {"r.csv": table([(*row, 6 - row[2]) for row in rows], "reviewer", "paper", one, other)},
        [
            Answer(first(rows[0][2]), {"columns": {"score": one}}),
            Answer(first(6 - rows[0][2]), {"columns": {"score": other}}),
        ],
    )


def people_by(column: str, expected: int) -> list[Answer]:
    holds: Holds = lambda t: t.reviews["reviewer"].n_unique() == expected  # noqa: E731
    return [Answer(holds, {"columns": {"reviewer": column}})]


def authors_mail(rows: list[Row]) -> Case:
    mails = [(f"author{paper}@y.org", who, paper, score) for who, paper, score in rows]
    people = len({row[0] for row in rows})
    return Case(
        {"r.csv": table(mails, "email", "judge", "paper", "score")}, people_by("judge", people)
    )


def papers_own_place(rows: list[Row]) -> Case:
    places = [(*row, 7 * row[1]) for row in rows]
    return Case(
        {"r.csv": table(places, "reviewer", "paper", "score", "place")},
        [
            Answer(rank_count(0), {"columns": {"rank": "(none)"}}),
            Answer(rank_count(len(rows)), {"columns": {"rank": "place"}}),
        ],
    )


def survey(rows: list[Row]) -> Case:
    wide = [(who, paper, score, paper + 1, score) for who, paper, score in rows]
    header = "reviewer", "paper 1", "score 1", "paper 2", "score 2"
    return Case({"r.csv": table(wide, *header)}, [])


def file_of_one_reviewer(rows: list[Row]) -> Case:
    people = list(dict.fromkeys(row[0] for row in rows))
    files = {
        f"{who}.csv": table([row[1:] for row in rows if row[0] == who], "paper", "score")
        for who in people
    }
    return Case(files, people_by("(file)", len(people)))


def first_cell(written: str) -> Spoil:
    """A cell with two numbers."""

    def spoil(rows: list[Row]) -> Case:
        (who, paper, score), *rest = rows
        return Case({"r.csv": table([(who, paper, written.format(score, score + 1)), *rest])}, [])

    return spoil


def two_forms(rows: list[Row]) -> Case:
    """Exports of HotCRP whose forms have 5 and 6 levels."""
    files: dict[str, str] = {}
    for papers, levels in ((0, "abcde"), (1, "abcdef")):
        form = {"OveMer": {"name": "Overall merit", "type": "radio", "values": list(levels)}}
        reviews = [
            {"pid": paper, "status": "complete", "reviewer_email": who, "OveMer": score}
            for who, paper, score in rows
            if paper % 2 == papers
        ]
        content = {"hotcrp_version": "3", "reviewform": form, "reviews": reviews}
        files[f"{levels}.json"] = json.dumps(content)
    return Case(files, [Answer(height(len(rows)), scale=scale) for scale in ("1..5", "1..6")])


CASES: dict[str, Spoil] = {
    "labels in the name": scores_called("Score (1=excellent; 5=poor)"),
    "one label": scores_called("Score (5 = worst)"),
    "label in another language": scores_called("Score (1 = sehr gut)"),
    "a grade": scores_called("Grade"),
    "labels in cells": labels_in_cells,
    "letters": letters("LLMHH", "L,M,H"),
    "grades and tier S": letters("DCBAS", "D,C,B,A,S"),
    "0 for no review": no_review(0, 40, "0..5"),
    "99 for no review": no_review(99, 9),
    "0 for no review in CMT": no_review(0, 40, "0..5", header=CMT),
    "rank 0": no_rank(0),
    "rank 99": no_rank(99),
    "two tracks": two_tracks,
    "two e-mails": two_emails,
    "capitals": ids_in_two_spellings(lambda row: (row[0].upper(), row[1], row[2])),
    "name and e-mail": ids_in_two_spellings(lambda row: (f"Ann <{row[0]}>", row[1], row[2])),
    "wide digits": ids_in_two_spellings(lambda row: (row[0], chr(0xFF10 + row[1]), row[2])),
    "forms of numbers": ids_in_two_spellings(lambda row: (row[0], f"#{row[1]:03}", row[2])),
    "average": row_of("Average"),
    "average in another language": row_of("Durchschnitt"),
    "score and final score": two_scores("score", "final score"),
    "rating and recommendation": two_scores("rating", "overall recommendation"),
    "author's mail": authors_mail,
    "papers' own place": papers_own_place,
    "survey": survey,
    "two forms": two_forms,
    "file of one reviewer": file_of_one_reviewer,
    "two numbers": first_cell("{0} or 6"),
    "was": first_cell("{0} (was 7)"),
    "one share": first_cell("{0}/{1}"),
}


@st.composite
def conferences(draw: st.DrawFn) -> list[Row]:
    """Three to six people who review the same four to nine papers; every score from 1 to 5 occurs."""
    people = PEOPLE[: draw(st.integers(3, 6))]
    papers = range(1, draw(st.integers(4, 9)) + 1)
    count = len(people) * len(papers)
    scores = draw(st.lists(st.integers(1, 5), min_size=count - 5, max_size=count - 5))
    scores = draw(st.permutations([1, 2, 3, 4, 5, *scores]))
    pairs = [(who, paper) for who in people for paper in papers]
    return [(*pair, score) for pair, score in zip(pairs, scores, strict=True)]


def asked(folder: Path, case: Case, answer: Answer | None = None) -> str:
    """Return what stops a run of the files; nothing if it may go on."""
    for name, content in case.files.items():
        (folder / name).write_text(content, "utf-8")
    answer = answer or Answer(ALWAYS)
    try:
        with written_for(COMMAND):
            tables = unround.read([folder / name for name in case.files], **answer.options)
            issues = unround.check(tables, scale=answer.scale, conflicts="scores", allow_loss=True)
    except UnroundError as error:
        return str(error)
    assert answer.holds(tables)
    return "; ".join(issue.message for issue in issues if not issue.action)


@pytest.mark.parametrize("spoil", CASES.values(), ids=CASES)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=conferences())
def test_what_can_be_read_in_two_ways_is_asked_about(tmp_path_factory, spoil, rows):
    case, folder = spoil(rows), tmp_path_factory.mktemp("case")
    question = asked(folder, case)
    assert question
    known = {name for parameter in command.params for name in parameter.opts}
    assert set(re.findall(r"--[a-z][a-z-]+", question)) <= known
    for answer in case.answers:
        assert asked(folder, case, answer) == ""
        for name, value in answer.options.items():
            assert (
                f"--{name.rstrip('s') if name == 'columns' else name.replace('_', '-')}" in question
            ), value


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=conferences())
def test_a_plain_table_is_asked_nothing(tmp_path_factory, rows):
    assert asked(tmp_path_factory.mktemp("plain"), Case({"r.csv": table(rows)}, [])) == ""


ROWS: list[Row] = [
    (who, paper, (3 * n + paper) % 5 + 1)
    for n, who in enumerate(PEOPLE[:4])
    for paper in range(1, 6)
]


def read(folder: Path, content: str, **options: Any) -> unround.Tables:
    return unround.read(written(folder, "r.csv", content), **options)


def test_a_survey_with_unknown_names_is_recognised(tmp_path: Path):
    """Naming columns would not help: there are several reviews in a row."""
    with pytest.raises(UnroundError, match="several reviews in a row"):
        read(tmp_path, "When,Mail,Paper 1,Score 1,Paper 2,Score 2\n1,a@x,1,2,2,3\n")


def test_names_of_columns_that_are_values_or_stand_in_two_rows_are_asked_about(tmp_path: Path):
    (who, paper, score), *others = ROWS
    values = table(others, who, str(paper), str(score))
    named = Answer(ALWAYS, {"columns": {"reviewer": who, "paper": "1", "score": str(score)}})
    assert "are values, not names" in asked(tmp_path, Case({"r.csv": values}, []), named)
    two_rows = "Gutachter,Artikel,Note\nann,1,5\n" + table(ROWS)
    question = asked(tmp_path, Case({"r.csv": two_rows}, []))
    assert "may be called reviewer, paper, score or, in a row above, Gutachter" in question


def test_columns_beside_the_score_that_are_not_used_are_named(tmp_path: Path):
    names = "reviewer", "paper", "score"
    tables = read(tmp_path, table([(*row, "Professor") for row in ROWS], *names, "position"))
    assert "column 'position' not used: it holds no ranks" in tables.notes[0]
    assert not tables.ranking_tables
    for title in ("After discussion", "final", "Revised", "New"):
        for late in (3, "B", "4: good"):
            with written_for(COMMAND):
                tables = read(tmp_path, table([(*row, late) for row in ROWS], *names, title))
            assert f"not used: '{title}'; --field " in tables.notes[0]
            assert f" --field score takes '{title}' where it is filled" in tables.notes[0]
        assert not read(tmp_path, table([(*row, "I stay") for row in ROWS], *names, title)).notes
    changes = [(*row, 0) for row in ROWS]
    assert not read(tmp_path, table(changes, *names, "Rev")).notes  # of a reviewer
    with written_for(COMMAND):
        [note] = read(tmp_path, table(changes, *names, "change after rebuttal")).notes
    assert "not used: 'change after rebuttal'; --column 'score=change after rebuttal'" in note
    statuses = [(*row, "draft" if row == ROWS[0] else "submitted") for row in ROWS]
    notes = read(tmp_path, table(statuses, *names, "status")).notes
    assert notes == ("r.csv: column 'status' not used: it holds no decisions",)
    with written_for(COMMAND):
        [note] = read(tmp_path, table([(*row, 3) for row in ROWS], *names, "average")).notes
    assert "not used: 'average'; --column score=average takes 'average' for the score" in note


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann Lee", "Ann  Lee"), ("Jos\u00e9", "Jose\u0301"), ("ann", "\u200ean\u00adn\u200b")],
    ids=["blanks", "accents", "invisible"],
)
def test_what_nobody_sees_makes_no_second_reviewer(tmp_path: Path, one, other):
    """Nor in rankings, and before reviews given twice are settled."""
    ranks = written(tmp_path, "k.csv", f"reviewer,paper,rank\n{other},1,1\n{one},2,2\n")
    rows = [(one, 1, 3), (other, 2, 4), (other, 1, 2), ("bob", 1, 5)]
    tables = read(tmp_path, table(rows), rankings=ranks, duplicates="first")
    assert tables.reviews["reviewer"].to_list() == [one, one, "bob"]
    assert tables.rankings[0]["reviewer"].to_list() == [one, one]
    assert "1 reviewer spelled in two ways taken for one" in tables.notes[0]


class TestWorkbooks:
    def book(self, path: Path, *, hidden: bool = False, formula: bool = False) -> Path:
        with xlsxwriter.Workbook(path) as book:
            for number, name in enumerate(("ann", "bob")):
                page = book.add_worksheet(name)
                page.write_row(0, 0, ["reviewer", "paper", "score"])
                for row in range(1, 5):
                    page.write_row(row, 0, [name, row, row])
                if number and hidden:
                    page.hide()
                if number and formula:
                    page.write_formula(1, 2, "=1+1", None, "")
        return path

    def test_a_hidden_sheet_is_asked_about(self, tmp_path: Path):
        with pytest.raises(UnroundError, match=r"sheet 'bob' is hidden .* show it .* or delete it"):
            unround.read(self.book(tmp_path / "r.xlsx", hidden=True))
        assert unround.read(self.book(tmp_path / "r.xlsx")).reviews.height == 8

    def test_a_formula_without_a_value_is_refused(self, tmp_path: Path):
        path = self.book(tmp_path / "r.xlsx", formula=True)
        with pytest.raises(UnroundError, match=r"sheet 'bob', row 2: the score is a formula"):
            unround.read(path)

    @pytest.mark.parametrize(("column", "words"), [(0, "no value in column 'reviewer'"), (2, "")])
    def test_merged_cells_are_reported(self, tmp_path: Path, column: int, words: str):
        """A merged cell stands in its first row; the others are empty, as spreadsheets save them."""
        with xlsxwriter.Workbook(tmp_path / "r.xlsx") as book:
            page = book.add_worksheet()
            page.write_row(0, 0, ["reviewer", "paper", "score"])
            for row in range(1, 6):
                cells = [f"r{row}", row, row]
                for at, cell in enumerate(cells):
                    if at != column or row not in (3, 4):
                        page.write(row, at, cell)
            page.merge_range(2, column, 4, column, "r2" if column == 0 else 2)
        tables = unround.read(tmp_path / "r.xlsx")
        assert words in " ".join(issue.message for issue in unround.check(tables))
        assert words or "2 reviews without a score left out" in tables.notes[0]

    def test_sheets_of_one_reviewer_each(self, tmp_path: Path):
        rows = [["paper", "score"], [1, 3], [2, 4]]
        workbook(tmp_path / "r.xlsx", ann=rows, bob=rows)
        with written_for(COMMAND), pytest.raises(UnroundError, match=r"reviewer=\(sheet\)"):
            unround.read(tmp_path / "r.xlsx")
        tables = unround.read(tmp_path / "r.xlsx", columns={"reviewer": "(sheet)"})
        assert tables.reviews["reviewer"].to_list() == ["ann", "ann", "bob", "bob"]


class TestTracksThatBothCountFromOne:
    ROWS = tuple((f"{who}{n % 3}", n % 5, 1 + n % 4) for who in ("ann", "bob") for n in range(15))

    def parts(self) -> list[list[list[object]]]:
        header: list[object] = ["reviewer", "paper", "score"]
        return [
            [header, *([*row] for row in self.ROWS if row[0].startswith(who))]
            for who in ("ann", "bob")
        ]

    def test_sheets(self, tmp_path: Path):
        one, other = self.parts()
        path = workbook(tmp_path / "r.xlsx", **{"Track A": one, "Track B": other})
        asks = r"sheet 'Track A' and sheet 'Track B' share no reviewer, but 5 papers, such as 0.*always"
        with written_for(COMMAND), pytest.raises(UnroundError, match=asks):
            unround.read(path)
        assert unround.read(path, match_ids="always").papers.height == 5
        other[1:] = [[who, f"B{paper}", score] for who, paper, score in other[1:]]
        workbook(path, **{"Track A": one, "Track B": other})
        assert unround.read(path).papers.height == 10

    def test_files_and_what_is_no_question(self, tmp_path: Path):
        paths = [
            written(tmp_path, f"{name}.csv", table([tuple(row) for row in rows[1:]]))
            for name, rows in zip("ab", self.parts(), strict=True)
        ]
        with pytest.raises(UnroundError, match=r"a.csv and b.csv share no reviewer, but 5 papers"):
            unround.read(paths)
        rows = (*self.ROWS[:15], ("bob", 1, 4), ("bob", 2, 3))
        written(tmp_path, "b.csv", table([*rows[15:]]))
        assert unround.read(paths).papers.height == 5  # the file of one reviewer
        frame = pl.DataFrame([*self.ROWS], schema=["reviewer", "paper", "score"], orient="row")
        for number, part in enumerate((frame[:15], frame[15:])):
            (tmp_path / "parts").mkdir(exist_ok=True)
            part.write_parquet(tmp_path / "parts" / f"{number}.parquet")
        assert unround.read(tmp_path / "parts").papers.height == 5  # one table in two parts


class TestTimes:
    def newest(self, folder: Path, *times: str) -> list[int]:
        rows = [("ann", 1, score, when) for score, when in enumerate(times, start=1)]
        rows += [("bob", 1, 5, ""), ("bob", 2, 4, times[0])]
        content = table(rows, "reviewer", "paper", "score", "timestamp")
        tables = read(folder, content, duplicates="newest")
        return tables.reviews.filter(pl.col("reviewer") == "ann")["score"].to_list()

    @pytest.mark.parametrize(
        "times",
        [
            ("2026-03-01T23:30:00-08:00", "2026-03-02T01:00:00+09:00"),  # the first is later
            ("3/13/2026 18:30:05", "3/13/2026 9:30:05"),
            ("2026/03/13 6:30:05 PM GMT+1", "2026/03/13 9:30:05 AM GMT+1"),
            ("13.3.2026 18:30", "13.3.2026 09:30"),
        ],
    )
    def test_the_newest_counts(self, tmp_path: Path, times):
        assert self.newest(tmp_path, *times) == [1]

    def test_day_or_month_is_asked_about(self, tmp_path: Path):
        assert self.newest(tmp_path, "3/4/2026 9:00", "4/3/2026 9:00") == [1, 2]
        tables = unround.read(tmp_path / "r.csv", duplicates="newest")
        assert any("dates such as '3/4/2026 9:00' not used" in note for note in tables.notes)


def test_the_advice_on_labels_turns_the_scale(tmp_path: Path):
    tables = read(tmp_path, labels_in_cells(ROWS).files["r.csv"])
    scores = unround.dequantize(tables, scale="5..1", lam=1.0).scores
    assert scores.filter(pl.col("score") == 1)["dequantized"].min() > 4
    assert scores.filter(pl.col("score") == 5)["dequantized"].max() < 2


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Note",
            "Final Impact Score",
            "impact_score",
            "OverallRank",
            "Platz",
            "Penalty",
            "Priority",
        )
    ],
)
def test_a_title_of_which_low_may_be_best_is_asked_about_although_named(tmp_path: Path, title: str):
    case = Case({"r.csv": table(ROWS, "reviewer", "paper", title)}, [])
    named = {"columns": {"score": title}}
    question = asked(tmp_path, case, Answer(ALWAYS, named))
    assert f"may be the best in '{title}'" in question
    assert "--scale 5..1 if 1 is best, or --scale 1..5" in question
    for scale in ("5..1", "1..5"):
        assert asked(tmp_path, case, Answer(ALWAYS, named, scale)) == ""
    for known in ("Overall merit", "Notes taken", "Degradation", f"{title} (5 = best)"):
        other = Case({"r.csv": table(ROWS, "reviewer", "paper", known)}, [])
        assert asked(tmp_path, other, Answer(ALWAYS, {"columns": {"score": known}})) == ""


def test_steps_of_a_grade_and_values_for_none_are_offered_with_its_direction(tmp_path: Path):
    steps = [(who, paper, (1, 1.3, 1.7, 2, 2.3)[score - 1]) for who, paper, score in ROWS]
    question = asked(tmp_path, Case({"r.csv": table(steps, "reviewer", "paper", "Grade")}, []))
    assert "--scale 2.3,2,1.7,1.3,1 if 1 is best, or --scale 1,1.3,1.7,2,2.3" in question
    absent = [*ROWS, *[("late", paper, 0) for paper in range(1, 6)]]
    question = asked(tmp_path, Case({"r.csv": table(absent, "reviewer", "paper", "Grade")}, []))
    assert question.endswith("if 0 means no score, --missing score=0 first")


@pytest.mark.parametrize("title", ["score", "Note"])
@pytest.mark.parametrize("serial", [46143, 20260501])
def test_dates_are_offered_no_scale(tmp_path: Path, title: str, serial: int):
    dates = [(who, paper, serial + score) for who, paper, score in ROWS]
    case = Case({"r.csv": table(dates, "reviewer", "paper", title)}, [])
    question = asked(tmp_path, case, Answer(ALWAYS, {"columns": {"score": title}}))
    assert "do not look like review scores" in question
    assert "--scale" not in question


def test_places_of_the_papers_can_be_taken_for_ranks(tmp_path: Path):
    tables = read(tmp_path, papers_own_place(ROWS).files["r.csv"], columns={"rank": "place"})
    assert tables.ranking_tables[0].height == len(ROWS)


def test_results_are_no_input_packed_or_not(tmp_path: Path):
    unround.dequantize(read(tmp_path, table(ROWS)), lam=1.0).save(tmp_path / "results")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "results")
    for results in (tmp_path / "results", packed):
        with pytest.raises(UnroundError, match=r"the results of a run \(run.json\), not reviews"):
            unround.read(results)
    with pytest.raises(UnroundError, match=r"packed.zip is a file: unpack it"):
        unround.load(packed)


def test_the_workbook_of_a_run_is_read(tmp_path: Path, call: Callable[..., Result]):
    """The run of a CMT export as XLSX is a table of reviews again."""
    results, book = tmp_path / "results", tmp_path / "run.xlsx"
    call("run", EXAMPLES / "cmt", "-o", results, "--lam", 1)
    call("export", results, "--to", "xlsx", "-o", book)
    assert call("check", book).exit_code == 0
    assert unround.read(book).reviews.height == 48
