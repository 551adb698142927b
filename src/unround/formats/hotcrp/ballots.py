"""The neutral table of batch/rank.php: user,item,rank."""

from __future__ import annotations

from unround.formats.hotcrp.people import People
from unround.formats.hotcrp.ranks import Rank, rank_of, ranks_sheet
from unround.formats.hotcrp.wording import counted, listed
from unround.formats.model import ImportProblem, Options, Part
from unround.formats.sources import Source, read_delimited

TITLE = "HotCRP ranks (user, item, rank)"
COLUMNS = ("user", "item", "rank")


def recognises(source: Source) -> bool:
    """Exactly these three columns, in any order."""
    return sorted(source.header) == sorted(COLUMNS)


def read(source: Source, options: Options) -> Part:
    """Ranks of many reviewers; as in HotCRP, a rank that is no number is no rank."""
    delimited = read_delimited(source)
    missing = [name for name in COLUMNS if name not in delimited.header]
    if missing:
        raise ImportProblem(
            f"{source.name} has no column {', '.join(map(repr, missing))}; found: "
            f"{listed(delimited.header)}"
        )
    users, items, cells = (delimited.column(name) for name in COLUMNS)
    ranks = [rank_of(cell) for cell in cells]
    ranked = [row for row, rank in enumerate(ranks) if rank is not None]
    known = People.among(options.known_reviewers).resolve(
        [users[row] for row in ranked], source.name
    )
    entries = [
        Rank(known[users[row]], items[row], rank, f"line {delimited.lines[row]}")
        for row in ranked
        if (rank := ranks[row]) is not None
    ]
    left = len(cells) - len(ranked)
    return Part(
        recognised=f"{source.name}: {TITLE}",
        ranks=ranks_sheet(source, entries),
        notes=(f"{source.name}: {counted(left, 'line without a rank')} left out",) * bool(left),
    )
