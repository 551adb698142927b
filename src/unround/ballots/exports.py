"""Statements of many ballots -> every format that a run reads rankings from."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

import polars as pl

from unround.ballots.statements import BallotStatements
from unround.errors import UnroundError
from unround.formats.systems.cmt.exports import COLUMNS as CMT_COLUMNS
from unround.formats.systems.hotcrp.rankings import COLUMNS as HOTCRP_COLUMNS
from unround.formats.systems.openreview.rankings import RANKING_NAME
from unround.output.tables import shielded, write_xlsx

Target = Literal["ranks", "pairs", "same", "workbook", "parquet", "hotcrp", "openreview", "cmt"]
TARGETS: tuple[Target, ...] = get_args(Target)
CHANGED: Literal["scores"] = "scores"  # scores that reviewers would change: no ranking
# Formats that hold ranks only: a partial order cannot be written in them.
RANKS_ONLY: tuple[Target, ...] = ("ranks", "hotcrp", "openreview")
NAMES: dict[Target, str] = {
    "ranks": "rankings.csv",
    "pairs": "comparisons.csv",
    "same": "about-the-same.csv",
    "workbook": "rankings.xlsx",
    "parquet": "comparisons.parquet",
    "hotcrp": "hotcrp-ranks.csv",
    "openreview": "tags.json",
    "cmt": "ReviewerSubmissionComparisons.txt",
}
RANKS = {"reviewer": pl.String, "paper": pl.String, "rank": pl.Int64}
PAIRS = {"reviewer": pl.String, "better": pl.String, "worse": pl.String}
SAME = {"reviewer": pl.String, "paper": pl.String, "same_as": pl.String}


class NotRanks(UnroundError):
    """Ballots that a format of ranks cannot hold."""


@dataclass(frozen=True)
class ReviewerBallot:
    """What one reviewer's ballot says."""

    reviewer: str
    email: str | None
    said: BallotStatements


def partial(stated: Iterable[ReviewerBallot]) -> list[ReviewerBallot]:
    """Return the ballots that ranks cannot state."""
    return [one for one in stated if one.said.is_partial]


def rank_table(stated: Iterable[ReviewerBallot]) -> pl.DataFrame:
    """Return the ranks of the ballots that ranks can state: reviewer, paper, rank."""
    rows = [(one.reviewer, *rank) for one in stated for rank in one.said.ranks]
    return pl.DataFrame(rows, schema=RANKS, orient="row")


def pair_table(stated: Iterable[ReviewerBallot], *, of_ranks: bool = True) -> pl.DataFrame:
    """Return pairs: reviewer, better, worse; of ballots with ranks only where `of_ranks`."""
    rows = [
        (one.reviewer, *pair)
        for one in stated
        for pair in (one.said.pairs or (_neighbours(one.said) if of_ranks else ()))
    ]
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def same_table(stated: Iterable[ReviewerBallot]) -> pl.DataFrame:
    """Return the papers that reviewers call about the same: reviewer, paper, same_as."""
    rows = [(one.reviewer, *pair) for one in stated for pair in one.said.same]
    return pl.DataFrame(rows, schema=SAME, orient="row")


def exported(stated: Sequence[ReviewerBallot], to: Target) -> bytes:
    """Return the ballots as a file. Raise NotRanks where a format of ranks cannot hold one of them."""
    unfit = partial(stated) if to in RANKS_ONLY else []
    if unfit:
        raise NotRanks(
            f"{len(unfit):,} of {len(stated):,} ballots state comparisons that ranks cannot: export "
            "comparisons, a workbook or CMT's file, or leave these ballots out"
        )
    return _WRITERS[to](stated)


def csv_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as CSV, safe to open in a spreadsheet."""
    return shielded(table).write_csv().encode()


def _neighbours(said: BallotStatements) -> Iterable[tuple[str, str]]:
    """Return every paper of a rank with every paper of the next."""
    groups: dict[int, list[str]] = {}
    for paper, rank in said.ranks:
        groups.setdefault(rank, []).append(paper)
    ordered = [groups[rank] for rank in sorted(groups)]
    for above, below in pairwise(ordered):
        yield from ((better, worse) for better in above for worse in below)


def _workbook(stated: Sequence[ReviewerBallot]) -> bytes:
    tables = {
        "ranks": rank_table(stated),
        "pairs": pair_table(stated, of_ranks=False),
        "same": same_table(stated),
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rankings.xlsx"
        write_xlsx({name: table for name, table in tables.items() if table.height}, path)
        return path.read_bytes()


def _parquet(stated: Sequence[ReviewerBallot]) -> bytes:
    file = io.BytesIO()
    pair_table(stated).write_parquet(file)
    return file.getvalue()


def _hotcrp(stated: Sequence[ReviewerBallot]) -> bytes:
    """Return user,item,rank, with the e-mail as the user where it is known."""
    rows = [(one.email or one.reviewer, *rank) for one in stated for rank in one.said.ranks]
    return _written([HOTCRP_COLUMNS, *rows])


def _openreview(stated: Sequence[ReviewerBallot]) -> bytes:
    tags: list[dict[str, Any]] = []
    for one in stated:
        most = max((rank for _, rank in one.said.ranks), default=0)
        tags += [
            {
                "id": f"ballot{len(tags) + number:07d}",
                "invitation": f"Reviewers/-/{RANKING_NAME}",
                "forum": paper,
                "signature": one.reviewer,
                "label": f"{rank} of {most}",
            }
            for number, (paper, rank) in enumerate(one.said.ranks, start=1)
        ]
    return (json.dumps(tags, indent=1, ensure_ascii=False) + "\n").encode()


def _cmt(stated: Sequence[ReviewerBallot]) -> bytes:
    rows: list[tuple[str, str, str, str]] = []
    for one in stated:
        email, said = one.email or one.reviewer, one.said
        rows += [(email, left, "Comparable", right) for left, right in said.same]
        pairs = said.pairs or _neighbours(said)
        rows += [(email, better, "PreferredOver", worse) for better, worse in pairs]
    return "".join("\t".join(row) + "\r\n" for row in [CMT_COLUMNS, *rows]).encode()


def _written(rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


_WRITERS = {
    "ranks": lambda stated: csv_bytes(rank_table(stated)),
    "pairs": lambda stated: csv_bytes(pair_table(stated)),
    "same": lambda stated: csv_bytes(same_table(stated)),
    "workbook": _workbook,
    "parquet": _parquet,
    "hotcrp": _hotcrp,
    "openreview": _openreview,
    "cmt": _cmt,
}
