"""Every option that a refusal prints is tried on the refused files.

It gives a table that is right, or asks another question. The questions of `test_questions` are tried
here as they are; more odd tables stand below.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import unround
from tests.formats.given_files import workbook, written
from tests.formats.promises import broken, offered
from tests.formats.test_questions import CASES, PEOPLE, ROWS, Case
from unround.errors import UnroundError
from unround.formats.importer import import_files
from unround.formats.model import Options
from unround.wording import COMMAND, written_for

Cells = list[list[object]]
Right = Callable[[unround.Tables], object]
HEAD = ["reviewer", "paper"]
LATER = {(who, paper): (score % 5) + 1 for who, paper, score in ROWS if paper % 2}
FINAL = [LATER.get((who, paper), score) for who, paper, score in ROWS]


def scores(*expected: Iterable[object]) -> Right:
    """Any of these lists of scores is right."""
    wanted = [list(map(float, one)) for one in expected]
    return lambda tables: tables.reviews["score"].cast(float).to_list() in wanted


def changed(first: str, last: str) -> tuple[Cells, Right]:
    """The later score is empty where it is the earlier one."""
    rows = [[*row, LATER.get((row[0], row[1]), "")] for row in ROWS]
    return [[*HEAD, first, last], *rows], scores(FINAL, [row[2] for row in ROWS])


def headed(*above: str) -> tuple[Cells, Right]:
    rows = [[who, paper, score, 3, 6 - score, 3] for who, paper, score in ROWS]
    below = [*HEAD, "score", "conf", "score", "conf"]
    return [["", "", *above], below, *rows], scores(
        [row[2] for row in ROWS], [6 - row[2] for row in ROWS]
    )


def titled(name: str, of: Callable[[int], object] = int) -> tuple[Cells, Right]:
    return [[*HEAD, name], *([who, paper, of(score)] for who, paper, score in ROWS)], lambda _: True


def never(_: unround.Tables) -> bool:
    return False


def twice(name: str) -> tuple[Cells, Right]:
    rows = [
        [who, paper, value, (score + value) % 5 + 1]
        for value in (1, 2)
        for who, paper, score in ROWS
    ]
    return [[*HEAD, name, "score"], *rows], never


ODD: dict[str, tuple[Cells, Right]] = {
    "initial and final": changed("initial score", "final score"),
    "before and after": changed("merit before rebuttal", "merit after rebuttal"),
    "score and new score": changed("score", "new score"),
    "final": changed("score", "final"),
    "rounds above": headed("Round 1", "", "Round 2", ""),
    "phases above": headed("Before rebuttal", "", "After rebuttal", ""),
    "grade": titled("Grade"),
    "steps of a grade": titled("Grade", lambda score: 1 + score / 3),
    "impact": titled("Overall Impact Score", lambda score: 10 * score),
    "days": (titled("score", lambda score: 46142 + score)[0], never),
    "days called a grade": (titled("grade", lambda score: 46142 + score)[0], never),
    "days in words": (titled("score", lambda score: f"{score:02}-May")[0], never),
    "two numbers": (titled("score", lambda score: f"{score} (conf. {6 - score})")[0], never),
    "unknown levels": titled("score", lambda score: 2**score),
    "halves and one odd one": titled("score", lambda score: score if score > 1 else 1.5),
    "one far off": titled("score", lambda score: 77 if score == 9 else score),
    "words": titled("score", lambda score: ["poor", "fair", "good", "great", "top"][score - 1]),
    "mixed letters": titled("score", lambda score: ["F/P", "P", "G", "V/G", "E"][score - 1]),
    "rounds": twice("round"),
    "assignments": twice("Assignment"),
    "titles of other names": (
        [["Gutachter", "Beitrag", "Note"], *([*row] for row in ROWS)],
        scores([row[2] for row in ROWS]),
    ),
    "sums": ([[*HEAD, "score"], *([*row] for row in ROWS), ["Total", 1, 70]], lambda _: True),
}


def tried(
    paths: list[Path], options: Options, right: Right, answers: list[str]
) -> Callable[..., str]:
    """Return what is asked about files, with options and a scale; note wrong tables."""

    def read(more: Options, scale: str | None) -> str:
        try:
            tables = import_files(paths, options=more)
            issues = unround.check(tables, scale=scale, conflicts="scores", allow_loss=True)
        except UnroundError as error:
            return str(error)
        stopping = [issue for issue in issues if not issue.action]
        if not stopping and not (right(tables) if scale is None else right is not never):
            answers.append(f"{more} and scale {scale} give a wrong table")
        return "; ".join(issue.message for issue in stopping)

    with written_for(COMMAND):
        question = read(options, None)
        assert question or right is not never
        assert not list(broken(read, options, question))
    assert not answers
    return lambda: question


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_options_of_odd_tables(tmp_path: Path, name: str, kind: str):
    rows, right = ODD[name]
    text = "\n".join(",".join(map(str, row)) for row in rows) + "\n"
    path = tmp_path / f"r.{kind}"
    if kind == "csv":
        written(tmp_path, path.name, text)
    else:
        workbook(path, page=rows)
    tried([path], Options(), right, [])


@pytest.mark.parametrize("name", CASES)
def test_options_of_known_questions(tmp_path: Path, name: str):
    case: Case = CASES[name]([row for row in ROWS if row[0] in PEOPLE])
    paths = [written(tmp_path, file, content) for file, content in case.files.items()]
    holds = [answer.holds for answer in case.answers]
    tried(paths, Options(), lambda tables: any(one(tables) for one in holds) or not holds, [])


def test_what_is_offered_is_found_in_a_message():
    message = "say: --field 'a b' --field c for one, or --column 'score=a b'; --scale 5..1, or --column x=.."
    assert offered(message) == [
        [("field", "a b"), ("field", "c")],
        [("column", "score=a b")],
        [("scale", "5..1")],
    ]
