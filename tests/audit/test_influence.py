"""What single reviewers could do, against whole solves of what they could say instead."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest

import unround
from tests.audit.conference import contradicting
from unround.audit.influence.audit import audit_influence
from unround.audit.influence.reach import Places, SolvedConference, place_of
from unround.disclosure.snapshot import Snapshot
from unround.settings import Accept

LAM = 3.0  # small enough for what comes back over other reviewers to count
POLICIES = ("refuse", "scores", "rankings")


def conference_and_run(policy, papers=9, load=3, seed=3, lam=LAM, noise=1.0):
    """A small conference on five levels, so that rankings decide between equal scores."""
    conference = unround.simulate.thurstone(
        papers,
        reviews_per_paper=3,
        papers_per_reviewer=load,
        noise=noise,
        scale=range(5),
        seed=seed,
    )
    ranks = conference.rankings
    if policy != "refuse":
        ranks = contradicting(ranks, every=3, first=0)
    run = unround.dequantize(
        conference.reviews, ranks, scale=range(5), lam=lam, conflicts=policy, allow_loss=True
    )
    return conference.reviews, ranks, run


@cache
def run_of(policy, **options):
    return conference_and_run(policy, **options)[2]


def held(policy, **options):
    return Snapshot.of(run_of(policy, **options))


@cache
def conference_of(policy, **options):
    return SolvedConference(held(policy, **options).prepared, LAM)


def whole_means(reviews, ranks, reviewer, scores, rank, policy, lam=LAM):
    """The mean of every paper, in the order of ids, if a reviewer had said this instead."""
    mine = pl.col("reviewer") == reviewer
    said = pl.DataFrame(
        {"reviewer": [reviewer] * len(rank), "paper": list(rank), "rank": list(rank.values())},
        schema=ranks.schema,
    )
    new = pl.col("paper").replace_strict(scores, default=None)
    changed = unround.dequantize(
        reviews.with_columns(score=pl.when(mine).then(new).otherwise("score")),
        pl.concat([ranks.filter(~mine), said]),
        scale=range(5),
        lam=lam,
        conflicts="rankings" if policy == "rankings" else "scores",
        allow_loss=True,
    )
    return changed.papers.sort("paper")["dequantized_mean"].to_numpy()


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", range(4))
def test_each_change_is_a_whole_solve_and_nothing_exceeds_the_limit(policy, seed):
    reviews, ranks, run = conference_and_run(policy, seed=seed)
    conference = SolvedConference(Snapshot.of(run).prepared, LAM)
    before, random = conference.places.means, np.random.default_rng(seed)
    for number in (0, 4):
        reviewer = conference.reviews.reviewers.labels[number]
        found = conference.reviewer(number)
        mine = reviews.filter(pl.col("reviewer") == reviewer)
        score = dict(mine.select("paper", "score").iter_rows())
        said = ranks.filter(pl.col("reviewer") == reviewer)
        rank = {one: place + 1 for one, place in said.select("paper", "rank").iter_rows()}
        for sign, reach in ((1, found.up), (-1, found.down)):
            for here, paper in enumerate(found.papers.tolist()):
                label = conference.reviews.papers.labels[paper]
                changed = {**score, label: int(np.clip(score[label] + sign, 0, 4))}
                new = {**rank, label: 1 if sign == 1 else 9}
                means = whole_means(reviews, ranks, reviewer, changed, new, policy)
                moved = sign * (means - before)[paper]
                assert reach.move[here] == pytest.approx(moved, abs=2e-6)
                assert reach.place[here] == place_of(means, paper)
        every = list(product(product((-1, 0, 1), repeat=len(rank)), permutations(range(1, 4))))
        for steps, new in (every[one] for one in random.choice(len(every), 40, replace=False)):
            changed = {
                one: int(np.clip(score[one] + step, 0, 4))
                for one, step in zip(score, steps, strict=True)
            }
            given = dict(zip(score, new, strict=True))
            means = whole_means(reviews, ranks, reviewer, changed, given, policy)
            moved = (means - before)[found.papers]
            assert (moved <= found.up.limit + 1e-6).all()
            assert (-moved <= found.down.limit + 1e-6).all()
            places = np.array([place_of(means, paper) for paper in found.papers])
            assert (found.up.place_limit <= places).all()
            assert (places <= found.down.place_limit).all()


def test_plain_means_in_closed_form():
    conference = conference_of("refuse")
    found, given = conference.reviewer(2), conference.reviews.given
    plain = np.bincount(conference.reviews.paper, given) / conference.count
    assert conference.plain.means == pytest.approx(plain)
    for here, (review, paper) in enumerate(zip(found.reviews, found.papers, strict=True)):
        up = given.copy()
        up[review] = min(given[review] + 1, 4)
        means = np.bincount(conference.reviews.paper, up) / conference.count
        assert found.up.plain[here] == pytest.approx(means[paper] - plain[paper])
        assert found.up.plain_place[here] == place_of(means, paper)


@pytest.mark.parametrize("kind", ["none", "some", "pairs"])
def test_papers_that_are_not_ranked_and_stated_pairs(kind):
    """Whatever a reviewer stated, the changed paper is above all their others."""
    reviews, ranks, _ = conference_and_run("refuse", papers=12, load=4)
    stated = {
        "none": ranks.filter(pl.col("reviewer") != ranks["reviewer"][0]),
        "some": ranks.filter(pl.col("rank") <= 2),
        "pairs": ranks.filter(pl.col("rank") == 1)
        .select("reviewer", better="paper")
        .join(ranks.filter(pl.col("rank") == 2).select("reviewer", worse="paper"), on="reviewer"),
    }[kind]
    run = unround.dequantize(reviews, stated, scale=range(5), lam=LAM, conflicts="refuse")
    conference = SolvedConference(Snapshot.of(run).prepared, LAM)
    reviewer = conference.reviews.reviewers.labels[0]
    found = conference.reviewer(0)
    assert (found.up.move >= -1e-9).all()
    assert (found.up.move <= found.up.limit).all()
    label = conference.reviews.papers.labels[found.papers[0]]
    mine = reviews.filter(pl.col("reviewer") == reviewer)
    others = mine.filter(pl.col("paper") != label)["paper"].to_list()
    pairs = pl.DataFrame({"reviewer": [reviewer] * 3, "better": [label] * 3, "worse": others})
    rest = stated.filter(pl.col("reviewer") != reviewer)
    if kind == "some":
        kept = stated.filter((pl.col("reviewer") == reviewer) & (pl.col("paper") != label))
        rest = pl.concat([rest, kept])
    if kind == "pairs":
        about = (pl.col("better") == label) | (pl.col("worse") == label)
        kept = stated.filter((pl.col("reviewer") == reviewer) & ~about)
        rest = pl.concat([rest, kept])
    raised = (pl.col("reviewer") == reviewer) & (pl.col("paper") == label)
    score = pl.when(raised).then(pl.min_horizontal(pl.col("score") + 1, 4)).otherwise("score")
    whole = unround.dequantize(
        reviews.with_columns(score=score),
        [rest, pairs.cast({"better": reviews["paper"].dtype, "worse": reviews["paper"].dtype})],
        scale=range(5),
        lam=LAM,
        conflicts="scores",
    )
    mean = whole.papers.filter(pl.col("paper") == label)["dequantized_mean"].item()
    moved = mean - conference.places.means[found.papers[0]]
    assert found.up.move[0] == pytest.approx(moved, abs=2e-6)


def test_table_and_numbers_of_the_conference():
    audit = audit_influence(
        held("refuse"), accept=Accept(30.0, percent=True), progress=lambda *_: None
    )
    assert audit.reviews.height == 27
    assert audit.above == 3
    assert audit.tried == audit.reviewers == 9
    reviewers = audit.by_reviewer()
    assert reviewers["move"].is_sorted(descending=True)
    assert (reviewers["move"] <= reviewers["limit"]).all()
    worst = audit.reviews.filter(pl.col("reviewer") == reviewers["reviewer"][0])
    assert reviewers["move"][0] == max(worst["move_up"].max(), worst["move_down"].max())
    turned = audit.reviews.filter(
        ((pl.col("place") <= 3) & (pl.col("place_to_down") > 3))
        | ((pl.col("place") > 3) & (pl.col("place_to_up") <= 3))
    )
    assert audit.turning() == pytest.approx(100 * turned.height / 27)
    assert audit.turning() <= audit.turning("turns_limit")
    top = audit.most_hangs_on(5)
    assert top.height == 5
    assert top["hangs"].round(3).is_sorted(descending=True)


def test_a_sample_is_the_same_every_time_and_part_of_the_whole():
    every = audit_influence(held("refuse"), progress=lambda *_: None).reviews
    steps = []
    some, again = (
        audit_influence(held("refuse"), sample=3, progress=lambda *step: steps.append(step))
        for _ in range(2)
    )
    assert some.tried == 3
    assert some.reviews.equals(again.reviews)
    assert some.reviews.join(every, on=every.columns, how="anti", nulls_equal=True).height == 0
    assert steps[2] == ("trying reviewers", 3, 3)


def test_tied_papers_share_the_better_place():
    assert Places(np.array([3.0, 5.0, 5.00001, 1.0])).now.tolist() == [3, 1, 1, 4]
    assert place_of(np.array([3.0, 5.0, 5.00001, 1.0]), 2) == 1


def test_infinite_lambda_moves_the_changed_papers_alone():
    conference = conference_of("refuse", lam=float("inf"))
    found = conference.reviewer(0)
    assert (found.up.move <= found.up.limit + 1e-9).all()
    assert found.up.move.max() > 0.1


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return run_of("refuse").save(tmp_path_factory.mktemp("influence") / "run")


def test_command_in_words(call, folder):
    ended = call("audit", "influence", folder)
    assert ended.exit_code == 0, ended.output
    assert "Reviewers: 9, all tried. λ 3, conflicts refuse." in ended.output
    assert re.search(r"In [\d.]+% of the reviews \(by any change at most [\d.]+%\)", ended.output)
    assert "Reviews that matter most" in ended.output


def test_command_in_json(call, folder):
    ended = call("audit", "influence", folder, "--sample", 4, "--json", "--accept", "50%")
    assert ended.exit_code == 0, ended.output
    found = json.loads(ended.output)
    assert found["tried"] == len(found["by_reviewer"]) == 4
    assert found["above"] == 5
    assert found["by_reviewer"][0]["move"] >= found["by_reviewer"][-1]["move"]


def test_a_line_in_each_track_is_crossed_within_the_track():
    """One review each, and means that nothing pulls: a paper passes those of its own track alone."""
    *_, run = conference_and_run("refuse", papers=24, load=1, lam=np.inf)
    snapshot = Snapshot.of(run)
    names = ["A", "B", None]
    tracks = [names[number % 3] for number in range(snapshot.papers.height)]
    snapshot = replace(snapshot, papers=snapshot.papers.with_columns(track=pl.Series(tracks)))
    quiet = {"progress": lambda *_: None}
    found = audit_influence(snapshot, accept=Accept(3, percent=False), per_track=True, **quiet)
    everywhere = audit_influence(snapshot, accept=Accept(9, percent=False), **quiet)
    assert (found.above, everywhere.above) == (9, 9)
    mean = dict(everywhere.reviews.select("paper", "mean").rows())
    track = dict(zip(map(str, snapshot.papers["paper"]), tracks, strict=True))
    for row in found.reviews.rows(named=True):
        paper = row["paper"]
        others = [
            mean[one] for one in mean if one != paper and track[str(one)] == track[str(paper)]
        ]
        for place, now in (
            ("place", row["mean"]),
            ("place_to_up", row["mean"] + row["move_up"]),
            ("place_to_down", row["mean"] - row["move_down"]),
        ):
            assert row[place] == 1 + sum(round(one, 4) > round(now, 4) for one in others), place
        assert row["turns_up"] == (row["place"] > 3 >= row["place_to_up"])
    same = ("mean", "move_up", "move_down", "limit_up", "plain_up")
    assert found.reviews.select(same).equals(everywhere.reviews.select(same))
    whole = replace(snapshot, papers=snapshot.papers.drop("track"))
    alone = audit_influence(whole, accept=Accept(9, percent=False), per_track=True, **quiet)
    assert alone.record() == everywhere.record()
