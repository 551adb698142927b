"""The five rules by which HotCRP turns reviewers' rankings into one: larger is better.

Its rules, in our own code: Schulze, ranked pairs as CIVS does them, instant runoff, range voting, and a
random walk. Ties in a ranking state no preference; papers that nobody compared come last.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, eye_array

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

SEED = 1_997


def _register(name: str, label: str, rule: Callable[[Evidence], FloatArray]) -> None:
    @method(name, label)
    def judge(case: Case) -> Estimate:
        return judging_papers(case, lambda evidence: _uncompared_last(evidence, rule(evidence)))


def _uncompared_last(evidence: Evidence, value: FloatArray) -> FloatArray:
    """Put papers that appear in no comparison below all others."""
    compared = np.zeros(evidence.papers, dtype=np.bool_)
    compared[evidence.paper[evidence.better]] = True
    compared[evidence.paper[evidence.worse]] = True
    return np.where(compared, value, value.min() - 1.0)


def schulze(evidence: Evidence) -> FloatArray:
    """Peel off, again and again, the papers that no other beats along its strongest path."""
    strength = strengths(evidence.preferences, _voters(evidence))
    path = strongest_paths(strength)
    return peeled(path > path.T)


def strengths(wins: FloatArray, voters: IntArray) -> FloatArray:
    """Rank all defeats by margin per voter of the paper with fewer voters; 0 is no defeat.

    Equal margins are ranked by wins per voter, then by fewer losses, then by fewer voters.
    """
    fewer = np.minimum.outer(voters, voters)
    scale = np.maximum(fewer, 1)
    won, lost = wins / scale, wins.T / scale
    defeat = wins > wins.T
    keys = np.stack([(won - lost)[defeat], won[defeat], -lost[defeat], -fewer[defeat]], axis=1)
    strength = np.zeros_like(wins)
    if keys.size:
        _, order = np.unique(keys, axis=0, return_inverse=True)
        strength[defeat] = order.reshape(-1) + 1.0
    return strength


def strongest_paths(strength: FloatArray) -> FloatArray:
    """Return the strength of the strongest path between any two papers: that of its weakest step."""
    path = strength.copy()
    for through in range(path.shape[0]):
        np.maximum(path, np.minimum.outer(path[:, through], path[through]), out=path)
    np.fill_diagonal(path, 0.0)
    return path


def peeled(beats: BoolArray) -> FloatArray:
    """Return minus the round in which each paper is unbeaten by those that are left."""
    value = np.zeros(beats.shape[0])
    left = np.ones(beats.shape[0], dtype=np.bool_)
    place = 0
    while left.any():
        unbeaten = left & ~beats[left].any(axis=0)
        value[unbeaten] = -place
        left &= ~unbeaten
        place += 1
    return value


def ranked_pairs(evidence: Evidence) -> FloatArray:
    """Add defeats, most votes first, unless they contradict earlier ones; then peel off the unbeaten.

    Defeats of equal strength are added together, so that they may close cycles among themselves: a paper
    is beaten by those that lead to it and to which it does not lead back. Papers of one round are
    ordered by the largest number of votes against them within it.
    """
    wins = evidence.preferences
    reach = locked_in(wins)
    value = peeled(reach & ~reach.T)
    against = np.zeros(evidence.papers)
    for place in np.unique(value):
        together = np.flatnonzero(value == place)
        against[together] = wins[np.ix_(together, together)].max(axis=0)
    within: FloatArray = against / (against.max() + 1.0)
    return value - within


def locked_in(wins: FloatArray) -> BoolArray:
    """Return which papers lead to which along the defeats that are added."""
    above, below = np.nonzero(wins > wins.T)
    order = np.lexsort((wins[below, above], -wins[above, below]))
    above, below = above[order], below[order]
    votes = np.stack([wins[above, below], wins[below, above]])
    ends = np.flatnonzero(np.any(votes[:, 1:] != votes[:, :-1], axis=0)) + 1
    reach = np.eye(wins.shape[0], dtype=np.bool_)
    for batch in np.split(np.arange(above.size), ends):
        added = batch[~reach[below[batch], above[batch]]]
        for better, worse in zip(above[added], below[added], strict=True):
            reach |= np.outer(reach[:, better], reach[worse])
    return reach


def instant_runoff(evidence: Evidence) -> FloatArray:
    """Eliminate the paper with the fewest first places, then second places, and so on.

    Equal papers, and equal ranks of one reviewer, are put in a fixed random order.
    """
    shuffled = np.random.default_rng(SEED).permutation(evidence.papers)
    lists = [
        [int(p) for group in ballot for p in sorted(group.tolist(), key=lambda q: shuffled[q])]
        for ballot in evidence.ballots
    ]
    longest = max((len(papers) for papers in lists), default=0)
    votes = np.zeros((evidence.papers, longest))
    readers: list[list[int]] = [[] for _ in range(evidence.papers)]
    for voter, papers in enumerate(lists):
        votes[papers, np.arange(len(papers))] += 1.0
        for paper in papers:
            readers[paper].append(voter)
    value = np.zeros(evidence.papers)
    left = np.arange(evidence.papers)
    for place in range(evidence.papers):
        keys = [shuffled[left], *(votes[left, column] for column in reversed(range(longest)))]
        loser = int(left[np.lexsort(keys)[0]])
        value[loser] = place
        left = left[left != loser]
        for voter in readers[loser]:
            _move_up(lists[voter], loser, votes)
    return value


def _move_up(papers: list[int], loser: int, votes: FloatArray) -> None:
    """Strike a paper off a list; all below it gain a place."""
    start = papers.index(loser)
    del papers[start]
    for place in range(start, len(papers)):
        votes[papers[place], place + 1] -= 1.0
        votes[papers[place], place] += 1.0


def range_voting(evidence: Evidence) -> FloatArray:
    """Spread each list over 0 to 1, average by paper, and cut off to 99 whole steps."""
    ranked = np.flatnonzero(~np.isnan(evidence.rank))
    who, rank = evidence.reviewer[ranked], evidence.rank[ranked]
    least, most = (
        np.full(who.max(initial=-1) + 1, np.inf),
        np.full(who.max(initial=-1) + 1, -np.inf),
    )
    np.minimum.at(least, who, rank)
    np.maximum.at(most, who, rank)
    share = (most[who] - rank + 0.5) / (most[who] - least[who] + 1.0)
    sums, counts = (
        np.bincount(evidence.paper[ranked], weights, evidence.papers)
        for weights in (share, np.ones(ranked.size))
    )
    return -np.floor(np.maximum(99.0 - 99.0 * sums / np.maximum(counts, 1.0), 1.0))


def random_walk(evidence: Evidence) -> FloatArray:
    """Return how often a walk that moves to preferred papers is at each paper in the long run."""
    walk = transitions(evidence)
    share = np.full(evidence.papers, 1.0 / evidence.papers)
    enough = 0.001 / evidence.papers**3
    while True:
        moved: FloatArray = walk.T @ share
        if float(np.linalg.norm(moved - share)) < enough:
            return moved * evidence.papers
        share = moved


def transitions(evidence: Evidence) -> csr_array:
    """Return the walk's probabilities: from the row to the column, by (wins + 1) / (pairs + 2)."""
    papers = evidence.papers
    above, below = evidence.paper[evidence.better], evidence.paper[evidence.worse]
    if not above.size:
        return eye_array(papers, format="csr")
    ones = np.ones(above.size)
    to_better = coo_array((ones, (below, above)), shape=(papers, papers)).tocsr()
    to_better.sum_duplicates()
    most = int(np.diff(to_better.indptr).max(initial=1))
    total = (to_better + to_better.T).tocoo()
    row, column = total.coords
    wins = np.asarray(to_better[row, column]).reshape(-1)
    chance = (wins + 1.0) / ((total.data + 2.0) * max(most, 1))
    moves = coo_array((chance, (row, column)), shape=(papers, papers)).tocsr()
    stay = 1.0 - np.asarray(moves.sum(axis=1)).reshape(-1)
    return (moves + diags_array(stay)).tocsr()


def _voters(evidence: Evidence) -> IntArray:
    ranked = ~np.isnan(evidence.rank)
    return np.bincount(evidence.paper[ranked], minlength=evidence.papers)


_register("hotcrp-schulze", "HotCRP: Schulze", schulze)
_register("hotcrp-ranked-pairs", "HotCRP: ranked pairs", ranked_pairs)
_register("hotcrp-runoff", "HotCRP: instant runoff", instant_runoff)
_register("hotcrp-range", "HotCRP: range voting", range_voting)
_register("hotcrp-walk", "HotCRP: random walk", random_walk)
