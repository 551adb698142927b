"""Every export is read back as the rankings that the ballots state."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from unround import Tables
from unround.ballots.content import pairs_of_groups
from unround.ballots.exports import FORMATS, TARGETS, NotRanks, ReviewerBallot, encode_ballots
from unround.ballots.statements import BallotStatements
from unround.formats.importer import import_files
from unround.problem.orders import closure

ANN, BOB, CY = "ann@example.org", "bob@example.org", "cy@example.org"
RANKED = [
    ReviewerBallot(
        ANN, ANN, BallotStatements(ranks=(("1", 1), ("2", 2), ("3", 2)), same=(("2", "3"),))
    ),
    ReviewerBallot(BOB, BOB, BallotStatements(ranks=(("3", 1), ("1", 2)))),
]
PARTIAL = ReviewerBallot(
    CY, CY, BallotStatements(pairs=(("1", "2"), ("3", "4")), same=(("2", "5"),))
)
REVIEWS = "reviewer,reviewer_email,paper,score\n" + "".join(
    f"{who},{who},{paper},{score}\n"
    for who in (ANN, BOB, CY)
    for paper, score in ((1, 5), (2, 4), (3, 4), (4, 2), (5, 1))
)


def _read(folder: Path, content: bytes, name: str) -> Tables:
    (folder / "reviews.csv").write_text(REVIEWS)
    (folder / name).write_bytes(content)
    return import_files([folder / "reviews.csv"], [folder / name])


def _pairs(imported: Tables) -> set[tuple[str, str, str]]:
    """Every pair that imported rankings state, with all that follows."""
    found = set()
    for stated in imported.rankings:
        table = stated.cast(pl.String)
        for (reviewer,), rows in table.group_by("reviewer"):
            if "rank" in rows.columns:
                groups = [
                    list(group["paper"])
                    for _, group in sorted(rows.group_by("rank"), key=lambda one: float(one[0][0]))
                ]
                pairs = pairs_of_groups(groups)
            else:
                pairs = closure(rows.select("better", "worse").iter_rows())
            found |= {(reviewer, *pair) for pair in pairs}
    return found


RANKED_PAIRS = {(ANN, "1", "2"), (ANN, "1", "3"), (BOB, "3", "1")}
PARTIAL_PAIRS = {(CY, "1", "2"), (CY, "3", "4")}
WITH_TIES = ("cmt", "workbook", "same")


@pytest.mark.parametrize("to", TARGETS)
def test_what_ballots_state_comes_back_from_every_format_that_can_hold_it(to, tmp_path: Path):
    ballots, pairs = [*RANKED, PARTIAL], RANKED_PAIRS | PARTIAL_PAIRS
    if FORMATS[to].ranks_only:
        with pytest.raises(NotRanks, match="1 of 3 ballots"):
            encode_ballots(ballots, to)
        ballots, pairs = RANKED, RANKED_PAIRS
    imported = _read(tmp_path, encode_ballots(ballots, to), FORMATS[to].name)
    assert _pairs(imported) == (set() if to == "same" else pairs)
    if to in WITH_TIES:
        assert imported.same is not None
        assert set(imported.same.cast(pl.String).rows()) == {(ANN, "2", "3"), (CY, "2", "5")}
