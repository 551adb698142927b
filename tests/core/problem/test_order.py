"""Orders as bit sets: against a plain closure of matrices, and on rankings of thousands of papers."""

import tracemalloc

import numpy as np
import polars as pl
import pytest

from tests.core.problem.matrices import (
    across_classes,
    components,
    covers,
    is_in_levels,
    longest_paths,
    transitive_closure,
)
from unround import InputRefused, Kind, check, dequantize
from unround.problem.orders import (
    close,
    closure,
    covering_pairs,
    largest_gap,
    members,
    steps_of,
)

POLICIES = ("refuse", "scores", "rankings")


def random_statements(random):
    """Up to seven papers, some ranked, some compared, some called about the same."""
    papers = int(random.integers(2, 8))
    rank = np.where(random.random(papers) < 0.5, random.integers(1, 4, papers), np.nan)
    couples = [tuple(random.choice(papers, 2, replace=False).tolist()) for _ in range(6)]
    return rank, couples[: random.integers(0, 4)], couples[4 : 4 + random.integers(0, 3)]


def plain_closure(rank, pairs, same):
    above = rank[:, None] < rank
    alike = np.zeros_like(above)
    for one, other in pairs:
        above[one, other] = True
    for one, other in same:
        alike[one, other] = True
    closed = transitive_closure(across_classes(above, alike))
    cycles = closed & closed.T
    return closed & ~cycles, cycles


@pytest.mark.slow
def test_closing_agrees_with_matrices():
    random, cyclic, levelled, other = np.random.default_rng(0), 0, 0, 0
    for _ in range(3000):
        stated = random_statements(random)
        closed, order = close(*stated), close(*stated).order
        above, cycles = plain_closure(*stated)
        sequence, found = closed.sequence, np.zeros_like(above)
        for place, below in enumerate(order.below):
            found[sequence[place], sequence[list(members(below))]] = True
        assert np.array_equal(found, above)
        rows = {tuple(np.flatnonzero(row).tolist()) for row in cycles if row.any()}
        assert closed.cycles == tuple(sorted(rows))
        cyclic += bool(rows)
        component = components(above)
        in_levels, covering = is_in_levels(above, component), covers(above)
        for part in order.split(1000):
            papers = sequence[list(members(part.places))]
            assert len(set(component[papers].tolist())) == 1
            assert in_levels[papers].all() == (part.levels is not None)
            if part.levels is None:
                other += 1
                pairs = {(int(sequence[high]), int(sequence[low])) for high, low in part.pairs}
                inside = np.isin(np.arange(found.shape[0]), papers)
                assert pairs == set(zip(*np.nonzero(covering & inside[:, None]), strict=True))
            else:
                levelled += len(part.levels) > 1
    assert min(cyclic, levelled, other) > 200


def test_the_largest_gap_that_fits_is_that_of_all_paths():
    random, short = np.random.default_rng(1), 0
    for _ in range(2000):
        stated = random_statements(random)
        closed = close(*stated)
        above = plain_closure(*stated)[0][closed.sequence][:, closed.sequence]
        size = len(closed.order)
        level = np.sort(random.integers(0, 2, size)) / 10.0
        lower, upper = level, level + 0.06
        steps = longest_paths(above)
        room = np.divide(
            upper[:, None] - lower, steps, out=np.full(steps.shape, np.inf), where=steps > 0
        )
        graph = steps_of(size, closed.order.split(1000))
        tightest = largest_gap(graph, lower, upper, 0.05, 1e-12)
        if room.min() >= 0.05 - 1e-12:
            assert tightest is None
        else:
            short += 1
            assert tightest.gap == pytest.approx(room.min(), rel=1e-12)
            assert room[tightest.best, tightest.worst] == pytest.approx(tightest.gap, rel=1e-12)
    assert short > 100


SIZE = 2000


def long_conference():
    random = np.random.default_rng(0)
    opinion = random.uniform(0, 10, SIZE)
    mine = pl.DataFrame(
        {"reviewer": "ann", "paper": np.arange(SIZE), "score": np.rint(opinion).astype(int)}
    )
    others = pl.DataFrame(
        {
            "reviewer": [f"r{number // 5}" for number in range(SIZE)],
            "paper": random.permutation(SIZE),
            "score": random.integers(0, 11, SIZE),
        }
    )
    return pl.concat([mine, others.cast(mine.schema)]), opinion, random


def long_ranking(kind):
    """One reviewer with 2,000 ranked papers, or 20,000 pairs among them."""
    reviews, opinion, random = long_conference()
    noisy = opinion + random.normal(0, 0.5, SIZE)
    if kind in ("agrees", "contradicts", "reversed", "ties"):
        value = {"agrees": opinion, "contradicts": noisy, "reversed": -opinion}.get(kind)
        value = np.round(noisy * 5) if value is None else value
        rank = np.unique(-value, return_inverse=True)[1] + 1
        return reviews, pl.DataFrame({"reviewer": "ann", "paper": np.arange(SIZE), "rank": rank})
    one, other = random.integers(0, SIZE, (2, 10 * SIZE))
    if kind != "pairs in cycles":
        value = noisy if kind == "pairs" else random.normal(0, 1, SIZE)
        swap = value[one] < value[other]
        one, other = np.where(swap, other, one), np.where(swap, one, other)
    apart = one != other
    pairs = {"reviewer": "ann", "better": one[apart], "worse": other[apart]}
    return reviews, pl.DataFrame(pairs)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "kind",
    ["agrees", "contradicts", "reversed", "ties", "pairs", "random pairs", "pairs in cycles"],
)
def test_long_rankings_need_no_matrices(kind, policy):
    """Under every policy; where Python's memory is watched, it stays below one matrix of floats."""
    reviews, rankings = long_ranking(kind)
    if policy == "rankings" and kind in ("pairs", "random pairs"):
        with pytest.raises(InputRefused) as refused:
            dequantize(reviews, rankings, lam=1.0, conflicts=policy, scale=list(range(11)))
        (issue,) = [issue for issue in refused.value.issues if issue.kind is Kind.TOO_LARGE]
        assert "reviewer ann compares more than 500 papers" in issue.message
        assert "leave some of this reviewer's statements out" in issue.message
        return
    watched = kind in ("contradicts", "pairs") and policy != "refuse"
    if watched:
        tracemalloc.start()
    if policy == "refuse":
        kinds = {issue.kind for issue in check(reviews, rankings)}
        assert (Kind.UPSIDE_DOWN in kinds) == (kind == "reversed")
        assert kinds - {Kind.UPSIDE_DOWN} <= {Kind.CONTRADICTION, Kind.NO_ROOM, Kind.CYCLE}
    else:
        # Who states the scale has answered whether it is upside down; and most may fall away here.
        options = {"conflicts": policy, "scale": list(range(11)), "allow_loss": True}
        result = dequantize(reviews, rankings, lam=1.0, **options)
        assert result.certificate.max_error <= 1e-9
    if watched:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * SIZE**2


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_orders_that_are_too_large_are_refused_in_words(policy):
    """Three ranks against many scores: under "scores" every group is compared with many others."""
    reviews, opinion, random = long_conference()
    rank = np.clip(np.round((opinion + random.normal(0, 2, SIZE)) / 3), 0, 3)
    rankings = pl.DataFrame({"reviewer": "ann", "paper": np.arange(SIZE), "rank": 4 - rank})
    if policy == "rankings":  # the ranking itself is in levels
        assert (
            dequantize(reviews, rankings, lam=1.0, conflicts=policy).certificate.max_error <= 1e-9
        )
        return
    with pytest.raises(InputRefused) as refused:
        dequantize(reviews, rankings, lam=1.0, conflicts=policy)
    (issue,) = [issue for issue in refused.value.issues if issue.kind is Kind.TOO_LARGE]
    assert "2,000 papers" in issue.message
    assert "200,000" in issue.message


@pytest.mark.parametrize(("papers", "too_large"), [(500, False), (501, True)])
def test_cells_open_for_an_order_without_levels_of_500_papers_and_no_more(papers, too_large):
    """Ann ranks the first paper over all others, and the second over the third against her scores."""
    scores = [5, 3, *[5] * (papers - 2)]
    reviews = pl.DataFrame({"reviewer": "ann", "paper": range(papers), "score": scores})
    better, worse = [0, 1, *[0] * (papers - 3)], [1, 2, *range(3, papers)]
    pairs = pl.DataFrame({"reviewer": "ann", "better": better, "worse": worse})
    issues = check(reviews, pairs, conflicts="rankings", scale=range(1, 10))
    kinds = [issue.kind for issue in issues]
    assert kinds.count(Kind.CONTRADICTION) == 1
    assert (Kind.TOO_LARGE in kinds) == too_large


@pytest.mark.parametrize("seed", range(20))
def test_closures_of_pairs_and_of_matrices_agree(seed):
    """Relations with cycles too; covering pairs only where there is none."""
    random = np.random.default_rng(seed)
    above = random.random((9, 9)) < 0.15
    if seed % 2:
        above = np.triu(above, 1)
    closed = transitive_closure(above)
    pairs = {(f"p{one}", f"p{other}") for one, other in np.argwhere(above).tolist()}
    named = {(f"p{one}", f"p{other}") for one, other in np.argwhere(closed).tolist()}
    assert closure(pairs) == named
    if seed % 2:
        pairs = np.argwhere(covers(closed)).tolist()
        assert covering_pairs(named) == {(f"p{one}", f"p{other}") for one, other in pairs}
        assert closure(covering_pairs(named)) == named
