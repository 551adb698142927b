"""Statements of many ballots -> a file in one of the formats that runs read rankings from."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple, get_args

import polars as pl

from unround.ballots.statements import BallotStatements
from unround.errors import UnroundError
from unround.formats.systems.cmt import COMPARISON_COLUMNS as CMT_COLUMNS
from unround.formats.systems.hotcrp.writers import rank_assignments
from unround.formats.systems.openreview.rankings import RANKING_NAME
from unround.output.tables import shielded, write_xlsx

Target = Literal["ranks", "pairs", "same", "workbook", "hotcrp", "openreview", "cmt"]
TARGETS: tuple[Target, ...] = get_args(Target)
CHANGED: Literal["scores"] = "scores"  # scores that reviewers would change: no ranking
ExportTarget = Target | Literal["scores"]
RANKS = {"reviewer": pl.String, "paper": pl.String, "rank": pl.Int64}
PAIRS = {"reviewer": pl.String, "better": pl.String, "worse": pl.String}
SAME = {"reviewer": pl.String, "paper": pl.String, "same_as": pl.String}


class NotRanks(UnroundError):
    """Ballots that a format of ranks cannot hold."""


@dataclass(frozen=True)
class ReviewerBallot:
    """The statements of one reviewer's ballot."""

    reviewer: str
    email: str | None
    statements: BallotStatements
    name: str | None = None


def partial_ballots(ballots: Iterable[ReviewerBallot]) -> list[ReviewerBallot]:
    """Return the ballots whose order ranks cannot express."""
    return [one for one in ballots if one.statements.is_partial]


def rank_table(ballots: Iterable[ReviewerBallot]) -> pl.DataFrame:
    """Return the ranks of the ballots that ranks can state: reviewer, paper, rank."""
    rows = [(one.reviewer, *rank) for one in ballots for rank in one.statements.ranks]
    return pl.DataFrame(rows, schema=RANKS, orient="row")


def pair_table(ballots: Iterable[ReviewerBallot], *, of_ranks: bool = True) -> pl.DataFrame:
    """Return pairs: reviewer, better, worse; of ballots with ranks only where `of_ranks`."""
    rows = [
        (one.reviewer, *pair)
        for one in ballots
        for pair in (one.statements.pairs or (_neighbours(one.statements) if of_ranks else ()))
    ]
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def same_table(ballots: Iterable[ReviewerBallot]) -> pl.DataFrame:
    """Return the papers that reviewers call about the same: reviewer, paper, same_as."""
    rows = [(one.reviewer, *pair) for one in ballots for pair in one.statements.same]
    return pl.DataFrame(rows, schema=SAME, orient="row")


def encode_ballots(ballots: Sequence[ReviewerBallot], to: Target) -> bytes:
    """Return the ballots as a file. Raise NotRanks where a format of ranks cannot hold one of them."""
    unfit = partial_ballots(ballots) if FORMATS[to].ranks_only else []
    if unfit:
        raise NotRanks(
            f"{len(unfit):,} of {len(ballots):,} ballots state comparisons that ranks cannot: export "
            "comparisons, a workbook or CMT's file, or leave these ballots out"
        )
    return FORMATS[to].write(ballots)


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


def _workbook(ballots: Sequence[ReviewerBallot]) -> bytes:
    tables = {
        "ranks": rank_table(ballots),
        "pairs": pair_table(ballots, of_ranks=False),
        "same": same_table(ballots),
    }
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rankings.xlsx"
        write_xlsx({name: table for name, table in tables.items() if table.height}, path)
        return path.read_bytes()


def _hotcrp(ballots: Sequence[ReviewerBallot]) -> bytes:
    """Return a bulk assignment of everybody's private tag ~rank."""
    people = {
        "reviewer": [one.reviewer for one in ballots],
        "reviewer_email": [one.email for one in ballots],
    }
    names = pl.DataFrame(people, schema=dict.fromkeys(people, pl.String))
    ranks = rank_table(ballots).join(names, on="reviewer", how="left", maintain_order="left")
    return rank_assignments(ranks).encode()


def _openreview(ballots: Sequence[ReviewerBallot]) -> bytes:
    tags: list[dict[str, Any]] = []
    for one in ballots:
        most = max((rank for _, rank in one.statements.ranks), default=0)
        tags += [
            {
                "id": f"ballot{len(tags) + number:07d}",
                "invitation": f"Reviewers/-/{RANKING_NAME}",
                "forum": paper,
                "signature": one.reviewer,
                "label": f"{rank} of {most}",
            }
            for number, (paper, rank) in enumerate(one.statements.ranks, start=1)
        ]
    return (json.dumps(tags, indent=1, ensure_ascii=False) + "\n").encode()


def _cmt(ballots: Sequence[ReviewerBallot]) -> bytes:
    rows: list[tuple[str, str, str, str]] = []
    for one in ballots:
        email, said = one.email or one.reviewer, one.statements
        rows += [(email, left, "Comparable", right) for left, right in said.same]
        pairs = said.pairs or _neighbours(said)
        rows += [(email, better, "PreferredOver", worse) for better, worse in pairs]
    return "".join("\t".join(row) + "\r\n" for row in [CMT_COLUMNS, *rows]).encode()


class Format(NamedTuple):
    """A file of ballots: its name, how it is written, and whether it holds ranks only."""

    name: str
    write: Callable[[Sequence[ReviewerBallot]], bytes]
    ranks_only: bool = False  # a partial order cannot be written in it


FORMATS: dict[Target, Format] = {
    "ranks": Format("rankings.csv", lambda ballots: csv_bytes(rank_table(ballots)), True),
    "pairs": Format("comparisons.csv", lambda ballots: csv_bytes(pair_table(ballots))),
    "same": Format("about-the-same.csv", lambda ballots: csv_bytes(same_table(ballots))),
    "workbook": Format("rankings.xlsx", _workbook),
    "hotcrp": Format("hotcrp-ranks.csv", _hotcrp, True),
    "openreview": Format("tags.json", _openreview, True),
    "cmt": Format("ReviewerSubmissionComparisons.txt", _cmt),
}
