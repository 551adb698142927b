"""Read the Zurich voting experiment: ten points over five projects per person, and a ranking of five.

The files are in pabulib's format: sections META, PROJECTS and VOTES, cells parted by semicolons, and in
a vote the projects parted by commas. S5D10 has points beside the projects; in S5R the first is best.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from unround.formats.model import ImportRefused
from unround.lab.catalogue.published import published_lines
from unround.reviews.tables import Tables
from unround.scale import Scale

POINTS, RANKS = "s5d10", "s5r"
SCALE = Scale.integers(0, 10)


def read_zurich(folder: Path) -> Tables:
    """Read points as scores, 0 for a project that was chosen and got none, and ranks of these projects."""
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
    kept = [row for row in ranked if row[:2] in scored]
    left = len(ranked) - len(kept)
    return Tables(
        reviews=pl.DataFrame(reviews, schema=["reviewer", "paper", "score"], orient="row"),
        rankings=(pl.DataFrame(kept, schema=["reviewer", "paper", "rank"], orient="row"),),
        scale=SCALE,
        notes=(
            f"{left:,} ranks left out: of projects that their voter did not choose when giving points",
        ),
    )


def _with_points(folder: Path, voter: str, vote: dict[str, str]) -> list[tuple[str, str]]:
    projects, given = vote["vote"].split(","), vote.get("points", "").split(",")
    if len(projects) != len(given) or not all(each.isdecimal() for each in given):
        raise ImportRefused(
            f"{_file(folder, POINTS).name}: voter {voter} has not one point count per project"
        )
    return list(zip(projects, given, strict=True))


def _file(folder: Path, kind: str) -> Path:
    """Return the file of a kind of vote; names end in the kind, with or without more underscores."""
    found = [
        path
        for path in sorted(folder.glob("*.pb"))
        if path.stem.lower().rstrip("_").rpartition("_")[2] == kind
    ]
    if len(found) != 1:
        raise ImportRefused(f"{folder} has {len(found)} files *_{kind.upper()}.pb instead of one")
    return found[0]


def _votes(path: Path) -> dict[str, dict[str, str]]:
    """Return the votes by voter, each with its cells by column."""
    lines = published_lines(path)
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
