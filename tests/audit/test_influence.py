"""What single reviewers could do, against every combination of scores and rankings solved afresh."""

import json
import re
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import polars as pl
import pytest

import unround
from tests.audit.conference import contradicting
from unround.audit.influence.audit import audit_influence
from unround.audit.influence.authors import own_papers, read_authors
from unround.audit.influence.moves import MOST_PAPERS, CandidateChanges, rank_lists
from unround.audit.influence.search import Places, SolvedConference
from unround.disclosure.snapshot import Snapshot, solved_input
from unround.problem.build import build_problem
from unround.reviews.review_set import Statements
from unround.settings import Accept
from unround.solver.local import Solver

LAM = 3.0  # small enough for what comes back over other reviewers to count


@cache
def run_of(policy, papers=9, load=3):
    """A small conference on five levels, so that rankings decide between equal scores."""
    conference = unround.simulate.thurstone(
        papers, reviews_per_paper=3, papers_per_reviewer=load, noise=1.0, scale=range(5), seed=3
    )
    ranks = conference.rankings
    if policy != "refuse":
        ranks = contradicting(ranks, every=3, first=0)
    return unround.dequantize(
        conference.reviews, ranks, scale=range(5), lam=LAM, conflicts=policy, allow_loss=True
    )


def held(policy, **size):
    return Snapshot.of(run_of(policy, **size))


@cache
def conference_of(policy, **size):
    return SolvedConference(*solved_input(held(policy, **size)))


def brute(conference, reviewer):
    """Yield levels, heights and all means for every combination, each solved afresh."""
    reviews, parts = conference.reviews, conference.parts
    mine = parts.of(reviewer)
    level = reviews.level[mine]
    for steps in product((-1, 0, 1), repeat=level.size):
        changed = level + np.array(steps)
        if changed.min() < 0 or changed.max() > 4:
            continue
        for heights in rank_lists(level.size):
            above = heights[:, None] > heights[None, :]
            against = (above & (changed[:, None] < changed[None, :])).any()
            if against and not conference.rankings_rule:
                continue
            yield changed - level, heights, means_of(conference, mine, changed, -heights)


def means_of(conference, mine, level, rank):
    reviews = conference.reviews
    levels, ranks = reviews.level.copy(), reviews.statements.rank.copy()
    levels[mine], ranks[mine] = level, rank
    changed = replace(reviews, level=levels, statements=Statements.ranks_only(ranks))
    problem, _ = build_problem(changed, conference.parts.settings)
    scores = Solver(problem).solve(conference.lam, 1e-9).scores
    return np.bincount(problem.paper, scores) / problem.paper_count


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_the_worst_of_all_combinations_is_found(policy):
    conference = conference_of(policy)
    base = conference.places.means
    for reviewer in (0,) if policy == "rankings" else (0, 4):
        found = conference.reviewer(reviewer)
        assert found.exact
        tried = list(brute(conference, reviewer))
        means = np.array([means for _, _, means in tried])
        kept = np.array([not np.any(steps) for steps, _, _ in tried])
        for sign, reach in ((1, found.up), (-1, found.down)):
            moves = sign * (means - base)[:, found.papers]
            assert reach.together == pytest.approx(np.maximum(moves.max(axis=0), 0), abs=2e-6)
            alone = np.maximum(moves[kept].max(axis=0), 0)
            assert reach.ranking == pytest.approx(alone, abs=2e-6)
            # No paper outside moves further than any that the reviewer has: the search leaves out none.
            assert (sign * (means - base)).max() == pytest.approx(moves.max(), abs=2e-6)
            places = np.array([Places(one).now[found.papers] for one in means])
            best = places.min(axis=0) if sign == 1 else places.max(axis=0)
            assert (sign * reach.place_bound <= sign * best).all()
            assert (sign * best <= sign * reach.place).all()
        span = conference.over_all(reviewer, np.arange(9))
        places = np.array([Places(one).now for one in means])
        assert span.best.tolist() == places.min(axis=0).tolist()
        assert span.worst.tolist() == places.max(axis=0).tolist()
        assert span.lift == pytest.approx((means - base).max(axis=0), abs=2e-6)


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_one_score_a_level_on_is_a_fresh_solve(policy):
    conference = conference_of(policy)
    for reviewer in range(0, 9, 2):
        found = conference.reviewer(reviewer)
        mine = conference.parts.of(reviewer)
        rank = conference.reviews.statements.rank[mine]
        for review, (sign, reach) in product(
            range(found.papers.size), ((1, found.up), (-1, found.down))
        ):
            level = conference.reviews.level[mine].copy()
            level[review] += sign
            refused = not 0 <= level[review] <= 4
            if not refused and policy == "refuse":
                order = np.argsort(rank)
                refused = np.any(np.diff(level[order]) > 0)
            if refused:
                assert np.isnan(reach.score[review])
                continue
            means = means_of(conference, mine, level, rank)
            paper = found.papers[review]
            moved = sign * (means - conference.places.means)[paper]
            assert reach.score[review] == pytest.approx(moved, abs=1e-6)
            assert reach.score_place[review] == Places(means).now[paper]


def test_plain_means_in_closed_form():
    conference = conference_of("refuse")
    found = conference.reviewer(2)
    mine = conference.parts.of(2)
    given = conference.reviews.given
    plain = np.bincount(conference.reviews.paper, given) / conference.count
    assert conference.plain.means == pytest.approx(plain)
    for review, paper in enumerate(found.papers):
        up = given.copy()
        up[mine] = np.maximum(up[mine] - 1, 0)
        up[mine.start + review] = min(given[mine.start + review] + 1, 4)
        means = np.bincount(conference.reviews.paper, up) / conference.count
        assert found.up.plain_place[review] == Places(means).now[paper]
        assert found.up.plain[review] == pytest.approx(means[paper] - plain[paper])


@pytest.mark.slow
def test_own_papers_are_lifted_as_far_as_any_combination_lifts_them():
    conference = conference_of("refuse")
    reviewer, plain = 1, conference.plain.now
    reviewed = conference.reviewer(reviewer).papers
    labels = conference.reviews.papers.labels
    author = str(conference.reviews.reviewers.labels[reviewer])
    authors = [(author, str(label)) for label in labels] + [("nobody", str(labels[0]))]
    audit = audit_influence(held("refuse"), authors=authors, progress=lambda *_: None)
    assert len(audit.authors) == 9
    given, _, tried = map(np.array, zip(*brute(conference, reviewer), strict=True))
    places = np.array([Places(means).now for means in tried])
    means = np.tile(conference.plain.means, (len(given), 1))
    means[:, reviewed] += given / conference.count[reviewed]
    plainly = np.array([Places(one).now for one in means])
    for paper, one in enumerate(audit.authors):
        assert one.paper == labels[paper]
        assert one.place_bound == one.place_to == places[:, paper].min()
        assert one.lift == pytest.approx(
            (tried - conference.places.means)[:, paper].max(), abs=2e-6
        )
        assert one.reviews_it == (paper in reviewed)
        assert (one.plain_place, one.plain_to) == (plain[paper], plainly[:, paper].min())
        before, after = conference.places.now[reviewed], places[:, reviewed].max(axis=0)
        assert one.sinks == ((before <= audit.above) & (after > audit.above)).sum()
    assert any(one.place_to < one.place for one in audit.authors)


def test_many_papers_are_searched_in_part_and_bounded():
    """Eight papers have 545,835 rank lists: some are tried, and a bound holds for all."""
    conference = conference_of("refuse", papers=24, load=8)
    found = conference.reviewer(0)
    assert found.papers.size > MOST_PAPERS
    assert not found.exact
    for reach in (found.up, found.down):
        assert (reach.together <= reach.limit).all()
        assert (reach.together > 0).all()
    assert (found.up.place_bound <= found.up.place).all()
    assert (found.down.place_bound >= found.down.place).all()
    random = np.random.default_rng(0)
    mine = conference.parts.of(0)
    for _ in range(60):  # whatever they say, the bound holds
        steps = random.integers(-1, 2, found.papers.size)
        level = np.clip(conference.reviews.level[mine] + steps, 0, 4)
        rank = -level + 0.5 * random.random(level.size)
        moved = (means_of(conference, mine, level, rank) - conference.places.means)[found.papers]
        assert (moved <= found.up.limit).all()
        assert (-moved <= found.down.limit).all()


def test_table_and_numbers_of_the_conference():
    audit = audit_influence(
        held("refuse"), accept=Accept(30.0, percent=True), progress=lambda *_: None
    )
    assert audit.reviews.height == 27
    assert audit.above == 3
    assert audit.tried == audit.reviewers == 9
    reviewers = audit.by_reviewer()
    assert reviewers["together"].is_sorted(descending=True)
    assert (reviewers["together"] >= reviewers["ranking"]).all()
    worst = audit.reviews.filter(pl.col("reviewer") == reviewers["reviewer"][0])
    assert reviewers["together"][0] == max(worst["together_up"].max(), worst["together_down"].max())
    turned = audit.reviews.filter(
        ((pl.col("place") <= 3) & (pl.col("place_to_down") > 3))
        | ((pl.col("place") > 3) & (pl.col("place_to_up") <= 3))
    )
    assert audit.turning() == pytest.approx(100 * turned.height / 27)
    top = audit.most_hangs_on(5)
    assert top.height == 5
    assert top["hangs"].round(3).is_sorted(descending=True)


def test_a_sample_is_the_same_every_time_and_part_of_the_whole():
    every = audit_influence(held("refuse"), progress=lambda *_: None).reviews
    told = []
    some, again = (
        audit_influence(held("refuse"), sample=3, progress=lambda *step: told.append(step))
        for _ in range(2)
    )
    assert some.tried == 3
    assert some.reviews.equals(again.reviews)
    assert some.reviews.join(every, on=every.columns, how="anti", nulls_equal=True).height == 0
    assert told[2] == ("trying reviewers", 3, 3)


def test_places_after_a_change_are_those_of_sorting_again():
    random = np.random.default_rng(1)
    means = np.round(random.normal(5, 1, 60), 1)
    places = Places(means)
    for _ in range(30):
        papers = random.choice(60, 7, replace=False)
        new = np.round(random.normal(5, 1, 7), 1)
        after = means.copy()
        after[papers] = new
        asked = random.choice(60, 20, replace=False)
        assert places.after(papers, new, asked).tolist() == Places(after).now[asked].tolist()


def test_rank_lists_are_all_weak_orders_once():
    assert [len(rank_lists(papers)) for papers in range(1, 7)] == [1, 3, 13, 75, 541, 4683]
    for heights in rank_lists(4):
        assert set(heights) == set(range(max(heights) + 1))
    assert len(np.unique(rank_lists(5), axis=0)) == 541


def test_no_ranking_is_tried_that_its_scores_contradict():
    conference = conference_of("scores")
    moves = CandidateChanges(conference.parts)
    for reviewer, sign in product(range(9), (1, -1)):
        changes = moves.together(reviewer, sign)
        above = changes.height[:, None, :] > changes.height[:, :, None]
        assert not (above & (changes.given[:, None, :] < changes.given[:, :, None])).any()
        now = conference.reviews.given[conference.parts.of(reviewer)]
        assert np.abs(changes.given - now).max() <= 1


def test_tables_of_authors(tmp_path):
    table = tmp_path / "authors.csv"
    table.write_text("Paper,Authors\n1,ann; bob\n2,ann\n,eve\n3,\n")
    assert read_authors(table) == [("ann", "1"), ("bob", "1"), ("ann", "2")]
    table.write_text("paper,author,email,title,track\n7,ann,ann@x.org,Sums,A\n")
    assert read_authors(table) == [("ann", "7")]
    reviews = conference_of("refuse").reviews
    who, what = str(reviews.reviewers.labels[0]), str(reviews.papers.labels[5])
    assert own_papers(reviews, [(who, what), ("x", what), (who, "y")]) == {0: (5,)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return run_of("refuse").save(tmp_path_factory.mktemp("influence") / "run")


def test_command_in_words(call, folder, tmp_path):
    authors = tmp_path / "authors.csv"
    authors.write_text("paper,author\n1,nobody\n")
    ended = call("audit", "influence", folder, "--authors", authors, "--sample", 1)
    assert ended.exit_code == 0
    assert "the names the same in both?" in ended.output
    reviews = conference_of("refuse").reviews
    reviewer, paper = reviews.label(0)[0], reviews.papers.labels[8]
    authors.write_text(f"paper,author\n{paper},{reviewer}\n")
    ended = call("audit", "influence", folder, "--authors", authors)
    assert ended.exit_code == 0, ended.output
    assert "Reviewers: 9, all tried; every ranking tried. λ 3, conflicts refuse." in ended.output
    assert "of the reviews could alone move their paper across; under plain means" in ended.output
    assert "Reviews that matter most" in ended.output
    assert f"{reviewer} for paper {paper}: place" in ended.output


def test_command_in_json(call, folder):
    ended = call("audit", "influence", folder, "--sample", 4, "--json", "--accept", "50%")
    assert ended.exit_code == 0, ended.output
    found = json.loads(ended.output)
    assert found["tried"] == len(found["by_reviewer"]) == 4
    assert found["above"] == 5
    assert found["authors"] is None
    assert found["by_reviewer"][0]["together"] >= found["by_reviewer"][-1]["together"]


def test_command_gives_found_and_bound_where_not_every_ranking_is_tried(call, tmp_path):
    folder = run_of("refuse", papers=24, load=8).save(tmp_path / "run")
    ended = call("audit", "influence", folder, "--sample", 2)
    assert ended.exit_code == 0, ended.output
    assert "every ranking tried for 0, some for the others" in ended.output
    found = re.search(r"a mean by at least ([\d.]+) \(at most ([\d.]+)\)", ended.output)
    assert float(found[1]) <= float(found[2])
