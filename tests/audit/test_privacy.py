"""unround audit privacy: exact against brute force on small conferences, and its command."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import unround
from tests.audit.conference import Held, held
from unround.audit.privacy.audit import audit_privacy
from unround.audit.privacy.guess import Neighbour, guess_rates
from unround.audit.privacy.perturbation import VISIBLE, Resolver, count_view_changes
from unround.disclosure.snapshot import Snapshot


def silent(_stage: str, _done: int, _total: int) -> None:
    pass


def solved(conference: Held, reviews: pl.DataFrame, ranks: pl.DataFrame) -> Held | None:
    """The conference after changes, run with the same setting of λ; None where refused."""
    lam = conference.snapshot.record["settings"]["lam"]
    try:
        result = unround.dequantize(
            reviews,
            ranks,
            scale=range(11),
            lam=lam,
            conflicts=conference.policy,
            allow_loss=True,
            tolerance=1e-10,
        )
    except unround.InputRefused:
        return None
    return replace(conference, snapshot=Snapshot.of(result))


def changes(conference: Held) -> list[tuple[set[int], pl.DataFrame, pl.DataFrame]]:
    """Every score moved by a level, and every pair of neighbours in a ranking swapped: as tables."""
    reviews, ranks = conference.reviews.sort("reviewer", "paper"), conference.stated
    found = []
    for row, (_, paper, score) in enumerate(reviews.iter_rows()):
        moved = reviews["score"].to_list()
        moved[row] = score + 1 if score < 10 else score - 1
        found.append(({paper}, reviews.with_columns(pl.Series("score", moved)), ranks))
    for reviewer in ranks["reviewer"].unique().sort():
        own = ranks.filter(pl.col("reviewer") == reviewer).sort("rank")["paper"].to_list()
        for above, below in pairwise(own):
            swap = {above: below, below: above}
            mine = pl.col("reviewer") == reviewer
            paper = pl.when(mine).then(pl.col("paper").replace(swap)).otherwise("paper")
            found.append(({above, below}, reviews, ranks.with_columns(paper.alias("paper"))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("policy", "papers", "per", "seed", "lam"),
    [("refuse", 9, 3, 6, 20.0), ("rankings", 6, 2, 3, 20.0), ("refuse", 6, 2, 6, "auto+")],
)
def test_traces_are_those_of_brute_force(policy, papers, per, seed, lam):
    """λ is chosen again from every changed input, unless it was given."""
    conference = held("total", policy, papers=papers, per=per, seed=seed, lam=lam)
    found = count_view_changes(
        Resolver(conference.snapshot), conference.chairs, sample=None, seed=0, progress=silent
    )
    count = len(conference.chairs)
    before = solved(conference, conference.reviews, conference.stated)
    assert before is not None
    tried, exact, order = 0, np.zeros(count, dtype=int), np.zeros(count, dtype=int)
    for changed, reviews, ranks in changes(conference):
        after = solved(conference, reviews, ranks)
        if after is None:
            continue
        tried += 1
        for chair in range(count):
            if conference.chairs[chair].papers & set(map(str, changed)):
                continue
            old, new = (
                np.array(one.view(chair, "exact")["reviews"]["dequantized"])
                for one in (before, after)
            )
            exact[chair] += bool(np.abs(old - new).max() > VISIBLE)
            places = [one.view(chair, "order")["order"] for one in (before, after)]
            order[chair] += places[0] != places[1]
    assert found.facts == tried
    assert found.exact.tolist() == exact.tolist()
    assert found.order.tolist() == order.tolist()
    assert found.order.sum() < found.exact.sum()
    assert policy != "refuse" or lam != 20.0 or found.order.sum() > 0


@pytest.mark.slow
def test_levels_differ_as_promised():
    conference = held(papers=400, per=12)
    audit = audit_privacy(
        conference.snapshot, conference.chairs, sample=8, facts=8, progress=silent
    )
    found = {level.disclosure: level for level in audit.levels}
    assert found["exact"].share > 10
    assert sum(chair.means for chair in found["exact"].chairs) > 50
    assert found["order"].share == found["scoped"].share == 0
    computed = {name: sum(one.scores for one in level.chairs) for name, level in found.items()}
    assert computed["order"] == computed["scoped"] == 0
    picked = {name: found[name].guess.picked for name in ("order", "exact")}
    assert picked["order"].before == pytest.approx(picked["exact"].before)
    assert picked["exact"].after - picked["exact"].before > 0.1
    assert picked["exact"].low > 0
    assert abs(picked["order"].after - picked["order"].before) < 0.05
    assert found["exact"].guess.loss.high < 0
    assert found["scoped"].guess is None
    assert audit.audited == 8
    assert audit.view_changes.order.sum() <= audit.view_changes.exact.sum()


def test_guesses_count_what_displaced_papers_give_away():
    """A feature of the page that says the truth for half of the neighbours, and nothing for the others."""
    groups = []
    for number in range(20):
        group = []
        for row in range(30):
            same = (row * row + row * number + number // 3) % 5 < 2
            moved = (1 if same else -1) if row % 2 else 0
            given = (float(row % 5), float(number))
            group.append((Neighbour(0, 0, True, given, (float(moved),), moved), same))
        groups.append(group)
    found = guess_rates(groups)
    assert found is not None
    assert found.neighbours == 600
    assert found.picked.before < 0.65 < 0.7 < found.picked.after
    assert 0 < found.picked.low < found.picked.after - found.picked.before < found.picked.high
    assert found.loss.low < found.loss.high < 0
    assert (found.towards.same, found.against.same) == (1.0, 0.0)
    assert 0.2 < found.towards.expected < 0.6
    assert found.towards.neighbours + found.against.neighbours == 300
    assert guess_rates(groups[:1]) is None


def test_command_says_what_each_level_gives_away_to_area_chairs_of_run_or_table(call, tmp_path):
    conference = unround.simulate.thurstone(24, seed=2)
    names = pl.col("paper").mod(4).cast(pl.String)
    reviews = conference.reviews.with_columns(area_chair=pl.format("Chair {}", names))
    result = unround.dequantize(reviews, conference.rankings, lam=10.0)
    folder = result.save(tmp_path / "run")
    ended = call("audit", "privacy", folder, "--sample", 6)
    assert ended.exit_code == 0, ended.output
    assert "Area chairs: 4." in ended.output
    for name in ("order", "scoped", "exact"):
        assert f"\n{name}: " in ended.output
    assert "order: 0 of" in ended.output
    assert "facts changed one by one" in ended.output
    table = tmp_path / "chairs.csv"
    table.write_text("area_chair,paper\nAnn,1\nAnn,2\nBo,3\nBo,of another year\n")
    ended = call("audit", "privacy", folder, "--areachairs", table, "--sample", 5)
    assert ended.exit_code == 0, ended.output
    assert "Area chairs: 2." in ended.output
    assert "1 papers in the table are not in the run" in ended.output
