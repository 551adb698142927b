"""The order of reviewers who go by pseudonyms: it tells nothing about who they are."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from unround.report.scope import Scope
from unround.report.snapshot import Snapshot


def order_of_pseudonyms(
    reviewers: Sequence[int | str], snapshot: Snapshot, scope: Scope
) -> list[int | str]:
    """Return reviewers in the order of their pseudonyms: by the key, or without one by content."""
    if scope.key:
        return shuffled(reviewers, scope)
    return by_content(reviewers, snapshot)


def shuffled(reviewers: Sequence[int | str], scope: Scope) -> list[int | str]:
    """Reviewers in an order that tells nothing about them and is another for every area chair.

    It is the same for every run with the same key. Who lacks the key cannot repeat it, even with a
    list of all reviewers at hand.
    """

    def place(reviewer: int | str) -> bytes:
        return hmac.digest(scope.key, f"{scope.area_chair}\0{reviewer}".encode(), "sha256")

    return sorted(reviewers, key=place)


def by_content(reviewers: Sequence[int | str], snapshot: Snapshot) -> list[int | str]:
    """Reviewers by what the snapshot holds of them: papers, scores, statements, and no id.

    Those with the same content may change places and nobody sees a difference.
    """
    numbers = ("value", "dequantized", "ranking", "cell")
    tables = (
        snapshot.reviews.select("reviewer", "paper", *numbers),
        snapshot.ranks.select("reviewer", "paper", "rank"),
        snapshot.pairs.select("reviewer", "better", "worse"),
    )
    content: dict[int | str, list[tuple[tuple[object, ...], ...]]] = {one: [] for one in reviewers}
    for table in tables:
        rows: dict[int | str, list[tuple[object, ...]]] = {one: [] for one in reviewers}
        for reviewer, *row in table.iter_rows():
            rows[reviewer].append(tuple(row))
        for reviewer, theirs in rows.items():
            content[reviewer].append(tuple(sorted(theirs, key=repr)))
    return sorted(reviewers, key=lambda one: repr(content[one]))
