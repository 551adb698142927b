"""Which papers stand above which: relations on a ballot's papers, as sets of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

from unround.problem.orders import closure

Pair = tuple[str, str]  # above, below


def pairs_of_groups(groups: Sequence[Sequence[str]]) -> set[Pair]:
    """Return every pair of an order given by groups, best first.

    >>> sorted(pairs_of_groups([["a"], ["b", "c"]]))
    [('a', 'b'), ('a', 'c')]
    """
    return {pair for above, below in combinations(groups, 2) for pair in product(above, below)}


def weak_order(papers: Sequence[str], pairs: set[Pair]) -> list[list[str]] | None:
    """Return groups, best first, that state exactly this transitive relation; None if none do.

    >>> weak_order("abc", {("a", "b"), ("a", "c")})
    [['a'], ['b', 'c']]
    >>> weak_order("abc", {("a", "b")}) is None
    True
    """
    below = Counter(above for above, _ in pairs)
    groups: dict[int, list[str]] = {}
    for paper in papers:
        groups.setdefault(below[paper], []).append(paper)
    found = [groups[number] for number in sorted(groups, reverse=True)]
    return found if pairs_of_groups(found) == pairs else None


def has_cycle(pairs: Iterable[Pair]) -> str | None:
    """Return a paper that would stand above itself, or None.

    >>> has_cycle([("a", "b"), ("b", "a")]), has_cycle([("a", "b")])
    ('a', None)
    """
    return min((one for one, other in closure(pairs) if one == other), default=None)


def merged(pairs: Iterable[Pair], leader: Mapping[str, str]) -> set[Pair]:
    """Return the pairs between groups of tied papers, each named by its leader."""
    return {(leader[one], leader[other]) for one, other in pairs}
