"""Published data sets with real scores and rankings, which `unround compare` can take; none may be shipped.

`python -m studies.published NAME PATH -o FOLDER` writes one as reviews.csv and rankings.csv.

AIBS: a workbook with a sheet per panel. In its header, RandomPropID is followed by the proposals; rows
below name a reviewer in its column and hold scores of 1.0 to 5.0, and further below, for the same
reviewers, "First Place" to "Sixth Place". SUSHI: two text files, in which line n is person n. Zurich: two
files in pabulib's format, with sections META, PROJECTS and VOTES, cells separated by semicolons and, within
a vote, projects by commas; S5D10 has points beside the projects, in S5R the first is best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from unround.formats.files.grid import grid_rows
from unround.formats.files.source import Source
from unround.formats.files.xml_sheets import GridRow
from unround.formats.model import ImportRefused
from unround.output.tables import write_csv
from unround.reviews.tables import Tables
from unround.scale import Scale


def _lines_of(path: Path) -> list[str]:
    """Return the lines of a text file, or refuse it if it is missing or not UTF-8."""
    if not path.is_file():
        raise ImportRefused(f"{path.parent} has no {path.name}")
    try:
        return path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ImportRefused(f"{path.name} is not UTF-8 text; download it again") from None


CORNER = "RandomPropID"
AIBS_SCALE = Scale.of("5..1:0.1")  # 1.0 is best
PLACES = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_PANEL = re.compile(r"Pnl\s*\d+", re.IGNORECASE)
_PLACE = re.compile(rf"({'|'.join(PLACES)})\s+place", re.IGNORECASE)
# Rows of statistics below the scores name no reviewer.
_STATISTIC = re.compile(
    r"mean|average|avg|median|sd|std|st\.?\s?dev.*|count|n|min|max|total", re.IGNORECASE
)


@dataclass
class _Panels:
    reviews: list[tuple[str, str, float]] = field(default_factory=list)
    ranks: list[tuple[str, str, int]] = field(default_factory=list)


def read_aibs(path: Path) -> Tables:
    """Read every panel of the workbook; ids of reviewers and proposals start with the panel's name."""
    source, panels, count = Source(path), _Panels(), 0
    for sheet, rows in groupby(grid_rows(source), key=lambda row: row.sheet):
        if _PANEL.fullmatch(sheet.strip()):
            _read_panel(sheet.strip(), rows, panels)
            count += 1
    if not panels.reviews:
        raise ImportRefused(f"{source.name} has no sheet such as Pnl2 with scores below {CORNER}")
    names = dict.fromkeys(reviewer.partition("/")[0] for reviewer, _, _ in panels.reviews)
    note = f"{count} panels: {', '.join(names)}"
    return _tables(panels.reviews, panels.ranks, AIBS_SCALE, note)


def _tables(reviews: Sequence[Any], ranks: Sequence[Any], scale: Scale, *notes: str) -> Tables:
    return Tables(
        reviews=pl.DataFrame(reviews, schema=["reviewer", "paper", "score"], orient="row"),
        rankings=(pl.DataFrame(ranks, schema=["reviewer", "paper", "rank"], orient="row"),),
        scale=scale,
        notes=notes,
    )


def _read_panel(panel: str, rows: Iterator[GridRow], panels: _Panels) -> None:
    """Read scores and places of one panel, anywhere below the header."""
    corner, proposals = -1, dict[int, str]()
    for row in rows:
        cells = {column: text.strip() for column, text in row.cells.items() if text.strip()}
        if corner < 0:
            corner = next((at for at, text in cells.items() if text == CORNER), -1)
            proposals = {at: text for at, text in cells.items() if 0 <= corner < at}
            continue
        name = cells.get(corner, "")
        if not name or name == CORNER or _STATISTIC.fullmatch(name):
            continue
        for at, proposal in proposals.items():
            ids = (f"{panel}/{name}", f"{panel}/{proposal}")
            _read_cell(cells.get(at, ""), ids, f"sheet {panel}, row {row.number}", panels)


def _read_cell(text: str, ids: tuple[str, str], where: str, panels: _Panels) -> None:
    """Add a score or a place; ignore other text, such as a conflict of interest."""
    place = _PLACE.fullmatch(text)
    if place:
        panels.ranks.append((*ids, PLACES.index(place[1].lower()) + 1))
        return
    try:
        score = float(text)
    except ValueError:
        return
    if round(score, 1) not in AIBS_SCALE.levels or abs(score - round(score, 1)) > 1e-9:
        raise ImportRefused(f"{where}: {text} is not a score of 1.0 to 5.0 in steps of 0.1")
    panels.reviews.append((*ids, round(score, 1)))


SCORES, ORDERS = "sushi3b.5000.10.score", "sushi3b.5000.10.order"
SUSHI_NOT_RATED = -1
SUSHI_SCALE = Scale.integers(0, 4)


def read_sushi(folder: Path) -> Tables:
    """Read sushi3b.5000.10.score and sushi3b.5000.10.order; line n of either is person n."""
    scores = list(_scores(folder / SCORES))
    orders = list(_orders(folder / ORDERS))
    if len(scores) != len(orders):
        raise ImportRefused(
            f"{SCORES} has {len(scores):,} people and {ORDERS} {len(orders):,}: the files do not belong "
            "together"
        )
    if not scores:
        raise ImportRefused(f"{SCORES} is empty")
    _check_items(scores, orders)
    reviews = [
        (person, item, score)
        for person, row in enumerate(scores)
        for item, score in enumerate(row)
        if score != SUSHI_NOT_RATED
    ]
    ranks = [
        (person, item, place)
        for person, items in enumerate(orders)
        for place, item in enumerate(items, start=1)
    ]
    return _tables(reviews, ranks, SUSHI_SCALE)


def _check_items(scores: list[list[int]], orders: list[list[int]]) -> None:
    """Refuse an order of items that its person did not score."""
    for number, (row, items) in enumerate(zip(scores, orders, strict=True), start=1):
        for item in items:
            if not 0 <= item < len(row) or row[item] == SUSHI_NOT_RATED:
                raise ImportRefused(
                    f"{ORDERS}, line {number + 1}: item {item} is not scored in {SCORES}, line {number}: "
                    "the files do not belong together"
                )


def _scores(path: Path) -> Iterator[list[int]]:
    """Yield each person's scores, one per kind of sushi; -1 is not rated."""
    for number, row in _lines(path):
        if any(score != SUSHI_NOT_RATED and score not in SUSHI_SCALE.levels for score in row):
            raise ImportRefused(
                f"{path.name}, line {number}: scores are 0 to 4, or -1 for not rated"
            )
        yield row


def _orders(path: Path) -> Iterator[list[int]]:
    """Yield each person's order, best first. A line is 0, the length, the items; the first is a header."""
    lines = _lines(path)
    next(lines, None)
    for number, row in lines:
        if len(row) < 2 or row[1] != len(row) - 2 or len(set(row[2:])) < len(row) - 2:
            raise ImportRefused(
                f"{path.name}, line {number}: not 0, the number of items, and the items"
            )
        yield row[2:]


def _lines(path: Path) -> Iterator[tuple[int, list[int]]]:
    for number, line in enumerate(_lines_of(path), start=1):
        if not line.strip():
            continue
        try:
            yield number, [int(cell) for cell in line.split()]
        except ValueError:
            raise ImportRefused(f"{path.name}, line {number}: not whole numbers") from None


POINTS, RANKS = "s5d10", "s5r"
ZURICH_SCALE = Scale.integers(0, 10)


def read_zurich(folder: Path) -> Tables:
    """Read points as scores (0 for a project that was chosen but got none), and the projects' ranks."""
    points, ranks = (_votes(_file(folder, kind)) for kind in (POINTS, RANKS))
    reviews = [
        (voter, project, int(given))
        for voter, vote in points.items()
        for project, given in _with_points(folder, voter, vote)
    ]
    scored = {(voter, project) for voter, project, _ in reviews}
    ranked = [
        (voter, project, place)
        for voter, vote in ranks.items()
        for place, project in enumerate(vote["vote"].split(","), start=1)
    ]
    of_scored = [row for row in ranked if row[:2] in scored]
    left = len(ranked) - len(of_scored)
    note = (
        f"{left:,} ranks left out: of projects that their voter did not choose when giving points"
    )
    return _tables(reviews, of_scored, ZURICH_SCALE, note)


def _with_points(folder: Path, voter: str, vote: dict[str, str]) -> list[tuple[str, str]]:
    projects, given = vote["vote"].split(","), vote.get("points", "").split(",")
    if len(projects) != len(given) or not all(each.isdecimal() for each in given):
        raise ImportRefused(
            f"{_file(folder, POINTS).name}: voter {voter} does not have one point count per project"
        )
    return list(zip(projects, given, strict=True))


def _file(folder: Path, kind: str) -> Path:
    """Return the file of a kind of vote; its name ends in the kind, perhaps followed by underscores."""
    files = [
        path
        for path in sorted(folder.glob("*.pb"))
        if path.stem.lower().rstrip("_").rpartition("_")[2] == kind
    ]
    if len(files) != 1:
        raise ImportRefused(f"{folder} has {len(files)} files *_{kind.upper()}.pb instead of one")
    return files[0]


def _votes(path: Path) -> dict[str, dict[str, str]]:
    """Return the votes by voter, each with its cells by column."""
    lines = _lines_of(path)
    if "VOTES" not in lines:
        raise ImportRefused(f"{path.name} has no section VOTES")
    first = lines.index("VOTES") + 1
    names = lines[first].split(";") if first < len(lines) else []
    if not {"voter_id", "vote"} <= set(names):
        raise ImportRefused(f"{path.name}: the section VOTES has no columns voter_id and vote")
    votes: dict[str, dict[str, str]] = {}
    for number, row in enumerate(lines[first + 1 :], start=first + 2):
        vote = dict(zip(names, row.split(";"), strict=False))
        if not vote.get("vote"):
            continue  # a line without a vote, as of people who left the page empty
        projects = vote["vote"].split(",")
        if vote["voter_id"] in votes or len(set(projects)) < len(projects):
            raise ImportRefused(
                f"{path.name}, line {number}: voter {vote['voter_id']} votes twice, or twice for a project"
            )
        votes[vote["voter_id"]] = vote
    if not votes:
        raise ImportRefused(f"{path.name} has no vote")
    return votes


class PublishedData(NamedTuple):
    """A published data set: where it is, and the function that reads it."""

    source: str
    read: Callable[[Path], Tables]


DATA_SETS = {
    # Scores of 1.0 (best) to 5.0, and the six best proposals of each reviewer.
    "aibs": PublishedData(
        "the workbook GrantPeerReview_Scoring_Ranking_DataA2.xlsx (S. A. Gallo, figshare)",
        read_aibs,
    ),
    # 5,000 people score ten kinds of sushi each from 0 to 4 and rank the same ten.
    "sushi": PublishedData(
        "the folder sushi3-2016 with sushi3b.5000.10.score and .order (T. Kamishima, kamishima.net/sushi)",
        read_sushi,
    ),
    # 180 people give ten points to five city projects, and rank five.
    "zurich": PublishedData(
        "a folder with the files S5D10 and S5R in pabulib's format .pb (Yang et al., arXiv 2310.03501)",
        read_zurich,
    ),
}


def convert(name: str, path: Path, folder: Path) -> str:
    """Write a data set as reviews.csv and rankings.csv; return the command that compares methods on it."""
    if not path.exists():
        raise ImportRefused(f"{path} does not exist; {name} is read from {DATA_SETS[name].source}")
    tables = DATA_SETS[name].read(path)
    assert tables.scale is not None
    folder.mkdir(parents=True, exist_ok=True)
    reviews, rankings = folder / "reviews.csv", folder / "rankings.csv"
    write_csv(tables.reviews, reviews)
    write_csv(tables.ranking_tables[0], rankings)
    compare = f"unround compare {reviews} --rankings {rankings} --scale {tables.scale.text}"
    return "\n".join([*tables.notes, f"{compare} -o comparison"])
