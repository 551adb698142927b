"""Problems of the input as the API gives them: counted by kind, the first ones in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from unround.console.schema import IssueCount, IssueLine
from unround.issues import ADVICE, Kind

SHOWN = 200


def issue_counts(records: Sequence[Mapping[str, Any]]) -> list[IssueCount]:
    """How many there are of each kind, most first."""
    counts = Counter(record["kind"] for record in records)
    return [
        IssueCount(kind=kind, count=count, advice=ADVICE[Kind(kind)])
        for kind, count in counts.most_common()
    ]


def issue_lines(records: Sequence[Mapping[str, Any]]) -> list[IssueLine]:
    """The first problems."""
    return [
        IssueLine(
            kind=record["kind"],
            message=record["message"],
            where=list(record["where"]),
            action=record["action"],
        )
        for record in records[:SHOWN]
    ]
