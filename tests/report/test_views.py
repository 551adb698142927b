"""What a viewer sees: all of it for a chair, and for an area chair not a byte beyond their papers."""

import json
import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unround
from tests.report.made_up import (
    Conference,
    area_chair,
    conferences,
    email,
    made,
    paper_id,
    person,
    title,
)
from tests.runs.test_places_without import conference
from unround.disclosure.model import OUTSIDE, IssueView, View, WithoutColumns
from unround.disclosure.scope import CHAIR, DISCLOSURES, Scope
from unround.disclosure.snapshot import Snapshot, read_snapshot
from unround.disclosure.view import encoded, view
from unround.runs.compute import run_of_result
from unround.runs.folder import write_run
from unround.runs.tables import PAPERS, SCORES
from unround.runs.uncertainty import WITHOUT, calibration_tables, posterior_tables

FEW = settings(max_examples=25)


@st.composite
def scoped(draw: st.DrawFn) -> tuple[Conference, set[int]]:
    """A conference and some of its papers."""
    conference = draw(conferences())
    papers = draw(st.sets(st.sampled_from(sorted(conference.papers))))
    return conference, papers


def reviewers_of(conference: Conference, papers: set[int]) -> set[int]:
    return {who for who, theirs in conference.reviewed.items() if papers & set(theirs)}


def secrets_outside(conference: Conference, papers: set[int]) -> list[str]:
    """Every text that an area chair of these papers must not meet."""
    strangers = set(conference.reviewed) - reviewers_of(conference, papers)
    return [
        *(text(paper) for paper in set(range(9)) - papers for text in (paper_id, title)),
        *(text(who) for who in strangers for text in (email, person)),
        *(area_chair(number) for number in (1, 2)),
    ]


@pytest.mark.slow
@given(scoped(), st.booleans(), st.booleans(), st.sampled_from(DISCLOSURES))
def test_nothing_outside_the_scope_is_there(case, stars, names, disclosure):
    conference, papers = case
    shown = view(
        conference.snapshot,
        conference.scope(papers, stars=stars, names=names, disclosure=disclosure),
    )
    text = encoded(shown).decode()
    assert [secret for secret in secrets_outside(conference, papers) if secret in text] == []
    inside = reviewers_of(conference, papers)
    known = [word for who in inside for word in (email(who), person(who)) if word in text]
    assert sorted(known) == (sorted(map(person, inside)) if names else [])
    assert shown["papers"]["paper"] == sorted(map(paper_id, papers))
    assert shown["papers"]["area_chair"] is None
    assert (shown["run"]["inputs"], shown["run"]["read"]) == ([], [])
    certificate = shown["run"]["certificate"]
    assert certificate is None or set(certificate) == {"max_error", "max_violation"}
    assert all(issue["where"] == [] for issue in shown["run"]["issues"])


@FEW
@given(conferences())
def test_a_chair_sees_the_numbers_of_the_files(conference):
    """Every review with the parts of its move, and means as in papers.csv to the last bit."""
    shown = view(conference.snapshot)
    papers, reviews = shown["papers"]["paper"], shown["reviews"]
    seen = pl.DataFrame(
        {
            "paper": [papers[paper] for paper in reviews["paper"]],
            "reviewer_name": [shown["reviewers"][who] for who in reviews["reviewer"]],
            "dequantized": reviews["dequantized"],
            "percentile": reviews["percentile"],
        }
    )
    keys = ["reviewer_name", "paper"]
    scores = conference.tables[SCORES].select(seen.columns)
    assert seen.sort(keys).equals(scores.sort(keys))
    new = np.array(reviews["dequantized"])
    parts = [reviews[name] for name in ("score", "consensus", "ranking", "cell")]
    assert np.sum(parts, axis=0) == pytest.approx(new, abs=3e-6)
    lower, upper = np.array(reviews["lower"]), np.array(reviews["upper"])
    assert ((lower - 1e-9 <= new) & (new <= upper + 1e-9)).all()
    for name in ("score", "dequantized"):
        column = conference.tables[PAPERS][f"{name}_mean"].to_list()
        assert means(shown, name) == dict(zip(papers, column, strict=True))


def means(shown: View, name: str) -> dict[str, float]:
    """Each paper's mean as the page computes it."""
    by_paper: dict[int, list[float]] = {}
    for paper, value in zip(shown["reviews"]["paper"], shown["reviews"][name], strict=True):
        by_paper.setdefault(paper, []).append(value)
    found = {}
    for number, values in sorted(by_paper.items()):
        total = 0.0
        for value in values:
            total += value
        mean = min(max(total / len(values), min(values)), max(values))
        found[shown["papers"]["paper"][number]] = mean
    return found


@FEW
@given(scoped(), st.sampled_from(DISCLOSURES))
def test_stars_stand_where_other_papers_do_or_nothing_does(case, disclosure):
    conference, papers = case
    everything = view(conference.snapshot)
    stated = dict(zip(everything["reviewers"], everything["rankings"], strict=True))
    inside = set(map(paper_id, papers))
    for stars in (True, False):
        scope = conference.scope(papers, stars=stars, names=True, disclosure=disclosure)
        shown = view(conference.snapshot, scope)
        starred = stars and disclosure != "scoped"
        for who, said in zip(shown["reviewers"], shown["rankings"], strict=True):
            groups = [
                [shown["papers"]["paper"][paper] if paper != OUTSIDE else "★" for paper in group]
                for group in said["groups"]
            ]
            expected = []
            for group in stated[who]["groups"]:
                ids = [everything["papers"]["paper"][paper] for paper in group]
                others = len(set(ids) - inside) if starred else 0
                expected.append([*(paper for paper in ids if paper in inside), *["★"] * others])
            assert groups == list(filter(None, expected))
            assert (OUTSIDE, OUTSIDE) not in said["pairs"]
        assert starred or OUTSIDE not in papers_compared(shown)


def papers_compared(shown: View) -> list[int]:
    """Every paper of a stated pair, or of one that binds."""
    stated = [paper for said in shown["rankings"] for pair in said["pairs"] for paper in pair]
    return [*shown["bindings"]["better"], *shown["bindings"]["worse"], *stated]


@pytest.mark.slow
@FEW
@given(scoped(), st.booleans(), st.booleans(), st.sampled_from(DISCLOSURES))
def test_rows_of_the_scope_are_enough(case, stars, names, disclosure):
    conference, papers = case
    scope = conference.scope(papers, stars=stars, names=names, disclosure=disclosure)
    assert view(part_of(conference.snapshot, scope), scope) == view(conference.snapshot, scope)


def part_of(whole: Snapshot, scope: Scope) -> Snapshot:
    """What a database has to give for a scope."""
    mine = pl.col("paper").is_in(sorted(scope.papers))
    reviews = whole.reviews.filter(mine)
    return replace(
        whole,
        papers=whole.papers.filter(mine),
        reviews=reviews,
        ranks=whole.ranks.join(reviews, on="reviewer", how="semi"),
        pairs=whole.pairs.join(reviews, on="reviewer", how="semi"),
        bindings=whole.bindings.join(reviews, on="reviewer", how="semi"),
    )


@FEW
@given(scoped())
def test_order_of_reviews_does_not_tell_the_order_of_ids(case):
    conference, papers = case
    shown = view(conference.snapshot, conference.scope(papers))
    count = len(reviewers_of(conference, papers))
    assert shown["reviewers"] == [f"Reviewer {number + 1}" for number in range(count)]
    order = list(zip(shown["reviews"]["reviewer"], shown["reviews"]["paper"], strict=True))
    assert order == sorted(order)


@pytest.fixture(scope="module")
def wide() -> Conference:
    """Twelve reviewers of the same five papers."""
    return made({who: [0, 1, 2, 3, 4] for who in range(12)}, (1, 2, 3), "scores", random.Random(7))


def test_pseudonyms_depend_on_the_area_chair_and_on_the_key(wide):
    """Reviews stand in the order of pseudonyms: their scores tell which order that is."""

    def order(scope: Scope) -> list[float]:
        return view(wide.snapshot, scope)["reviews"]["dequantized"]

    mine = wide.scope({0, 1, 2, 3, 4}, disclosure="exact")
    assert order(mine) == order(mine)
    for change in ({"area_chair": "Somebody"}, {"key": b"another"}, {"names": True}):
        assert order(replace(mine, **change)) != order(mine), change


def test_pseudonyms_need_a_key():
    with pytest.raises(ValueError, match="need the key"):
        Scope("Ann", frozenset({"1"}))


def test_reviewers_of_one_name_are_told_apart_whatever_controls_of_direction_hide():
    conference = made({0: [0], 1: [0], 2: [0]}, (1, 2, 3), "scores", random.Random(1))
    names = pl.Series("reviewer_name", ["Kim\u202e Park\u200f", "Kim \u2066Park", None])
    named = replace(conference.snapshot, reviews=conference.snapshot.reviews.with_columns(names))
    assert view(named)["reviewers"] == [
        f"Kim Park ({email(0)})",
        f"Kim Park ({email(1)})",
        email(2),
    ]


def test_decisions_of_the_files_reach_area_chairs_only_if_released(wide):
    papers = wide.snapshot.papers.with_columns(decision=pl.lit("Reject"))
    decided = replace(wide.snapshot, papers=papers)
    scope = wide.scope({0, 1})
    shown = [view(decided, one) for one in (CHAIR, scope, replace(scope, decisions=True))]
    assert [one["papers"]["decision"] for one in shown] == [["Reject"] * 5, None, ["Reject"] * 2]


ISSUE = {
    "kind": "contradiction",
    "message": f"reviewer {email(0)} ranks things",
    "where": ["reviews.csv, line 3"],
    "reviewer": email(0),
    "papers": [paper_id(0), paper_id(1)],
    "scores": [3, 5],
    "action": "comparison set aside",
}


def issues_read(wide: Conference, scope: Scope, **change: object) -> list[IssueView]:
    """What a viewer reads of that issue, with something about it changed."""
    record = {**wide.snapshot.record, "issues": [ISSUE | change]}
    return view(replace(wide.snapshot, record=record), scope)["run"]["issues"]


def test_chair_reads_problems_as_recorded(wide):
    [issue] = issues_read(wide, CHAIR, count=3)
    assert issue["message"] == ISSUE["message"]
    assert issue["where"] == ISSUE["where"]
    assert issue["count"] == 3
    assert "ask the reviewer" in issue["advice"]


def test_area_chair_reads_a_problem_under_a_pseudonym(wide):
    [issue] = issues_read(wide, wide.scope({0, 1}), count=3)
    who, ranks, sentence = issue["message"].partition(" ranks ")
    assert who in {f"Reviewer {number}" for number in range(1, 13)}
    assert ranks + sentence == (
        f" ranks {paper_id(0)} (score 3) above {paper_id(1)} (score 5), against their own scores"
    )
    assert (issue["action"], issue["count"]) == ("comparison set aside", 1)


@pytest.mark.parametrize(
    "change",
    [
        {"papers": [paper_id(0), paper_id(4)]},
        {"papers": []},
        {"reviewer": email(77)},
        {"reviewer": None},
        {"kind": "column"},
    ],
    ids=["paper outside", "no paper", "reviewer outside", "no reviewer", "about a column"],
)
def test_area_chair_reads_nothing_of_others_problems(wide, change):
    assert issues_read(wide, wide.scope({0, 1}), **change) == []


@pytest.mark.parametrize(
    ("kind", "words", "done"),
    [
        ("cycle", "states a cycle among papers", "comparisons inside the cycle set aside"),
        ("unreviewed", "without a review of it", "statement set aside"),
        ("self-comparison", "is better than itself", "statement set aside"),
    ],
)
def test_every_kind_between_papers_has_its_sentence_and_counts_nothing(wide, kind, words, done):
    [issue] = issues_read(wide, wide.scope({0, 1}), kind=kind, action=f"{done}, 12 in all")
    assert issue["message"].startswith("Reviewer ")
    assert words in issue["message"]
    assert paper_id(0) in issue["message"]
    assert email(0) not in issue["message"]
    assert issue["action"] == done


def room_in_view(scores: dict[str, int], seen: str, disclosure: str) -> list[str]:
    """What an area chair of some papers reads about room, where Rae ranks all papers in this order."""
    reviews = [("rae", paper, score) for paper, score in scores.items()]
    reviews += [("tom", paper, 5) for paper in scores]
    run = unround.dequantize(
        pl.DataFrame(reviews, ["reviewer", "paper", "score"], orient="row"),
        pl.DataFrame({"reviewer": "rae", "paper": list(scores)}).with_row_index("rank", offset=1),
        lam=1.0,
        epsilon=0.6,
        scale=[1, 2, 3, 4, 5, 6, 7],
        conflicts="scores",
    )
    scope = Scope("Ann", frozenset(seen), names=True, disclosure=disclosure)
    issues = view(Snapshot.of(run), scope)["run"]["issues"]
    return [issue["message"] for issue in issues if issue["kind"] == "no-room"]


@pytest.mark.parametrize("disclosure", DISCLOSURES)
def test_whether_an_order_has_room_tells_no_hidden_score(disclosure):
    between = [room_in_view({"a": 5, "h": hidden, "b": 5}, "ab", disclosure) for hidden in (4, 5)]
    assert between == [[], []]  # the run has an issue with the second
    own = ["rae ranks a (score 5) above c (score 5): epsilon does not fit between their scores"]
    whole = room_in_view({"a": 5, "b": 5, "c": 5}, "abc", disclosure)
    above = [
        room_in_view({"h": hidden, "a": 5, "b": 5, "c": 5}, "abc", disclosure) for hidden in (5, 7)
    ]
    assert [whole, *above] == [own, own, own]  # the run names h with the first


def test_a_curve_has_finite_points_and_fewer_digits_for_area_chairs(wide):
    """JSON holds no others; all digits of a share of all reviews would tell how many there are."""
    curve = {"lam": [1.0, float("inf"), 2.0], "error": [0.56789, 0.4, float("nan")]}
    record = {**wide.snapshot.record, "selection": curve, "lam": "inf"}
    taken = replace(wide.snapshot, record=record)
    shown = json.loads(encoded(view(taken)))["run"]
    assert (shown["selection"], shown["lam"]) == ({"lam": [1.0], "error": [0.56789]}, "inf")
    exact, order = (
        view(taken, wide.scope({0, 1}, disclosure=disclosure))["run"]["selection"]
        for disclosure in ("exact", "order")
    )
    assert (exact, order) == ({"lam": [1.0], "error": [0.568]}, None)


def test_how_sure_a_run_is_is_for_chairs(conference_with_estimates):
    snapshot, result, posterior = conference_with_estimates
    shown = view(snapshot)["estimates"]
    papers = view(snapshot)["papers"]["paper"]
    by_paper = posterior.papers.sort("paper")
    assert papers == by_paper["paper"].to_list()
    assert shown["missing"] == ""
    assert shown["uncertainty"]["place_low"] == by_paper["place_low"].to_list()
    assert shown["uncertainty"]["low"] == by_paper["low"].round(4).to_list()
    shares, start = shown["uncertainty"]["among_all"], shown["uncertainty"]["among_all"]["start"]
    assert len(start) == len(papers) + 1
    for number, paper in enumerate(papers):
        own = posterior.places().filter(paper=paper)
        points = slice(start[number], start[number + 1])
        assert shares["place"][points] == own["place"].to_list()
        thousandths = (1000 * own["share"]).round().to_list()
        assert shares["thousandths"][points] == thousandths
    calibration = unround.calibrate(result)
    assert (
        shown["calibration"]["effect"]
        == calibration.reviewers.sort("reviewer")["effect"].round(4).to_list()
    )
    scope = Scope("Ann", frozenset(map(str, papers)), key=b"secret", names=True)
    assert view(snapshot, scope)["estimates"] is None


def test_what_the_data_say_is_for_chairs(conference_with_estimates):
    snapshot, result, _ = conference_with_estimates
    found = result.diagnostics
    assert found.consensus.pairs > 0
    shown = view(snapshot)["diagnostics"]
    assert found.consensus.in_words() in shown
    assert found.comparisons.in_words() in shown
    assert len(shown) == 4
    papers = frozenset(map(str, snapshot.papers["paper"].to_list()))
    for disclosure in DISCLOSURES:
        scope = Scope("Ann", papers, key=b"secret", names=True, disclosure=disclosure)
        area_chair = view(snapshot, scope)
        assert area_chair["diagnostics"] == []
        assert b"the scores of others alone" not in encoded(area_chair)
    earlier = {key: value for key, value in snapshot.record.items() if key != "diagnostics"}
    assert view(replace(snapshot, record=earlier))["diagnostics"] == []


def test_places_without_contradictions_are_for_chairs(tmp_path):
    reviews, rankings = conference(0, papers=24)
    result = unround.dequantize(reviews, rankings, lam=4.0, conflicts="rankings")
    run = run_of_result(result)
    write_run(tmp_path, run.tables, run.record)
    for snapshot in (Snapshot.of_run(run), read_snapshot(tmp_path)):
        shown = view(snapshot)
        found, papers, reviewers = shown["without"], shown["papers"]["paper"], shown["reviewers"]
        rows = zip(*(found[name] for name in WithoutColumns.__annotations__), strict=True)
        named = [
            (papers[paper], None if who is None else reviewers[who], *places)
            for paper, who, *places in rows
        ]
        assert named == run.tables[WITHOUT].with_columns(pl.col("reviewer").cast(pl.String)).rows()
    everything = frozenset(map(str, snapshot.papers["paper"].to_list()))
    for disclosure in DISCLOSURES:
        scope = Scope("Ann", everything, key=b"secret", names=True, disclosure=disclosure)
        assert view(snapshot, scope)["without"] is None
    assert view(replace(snapshot, estimates={}))["without"] is None  # a run of an earlier version


@pytest.fixture(scope="module")
def conference_with_estimates():
    made = unround.simulate.thurstone(papers=15, seed=2)
    result = unround.dequantize(made.reviews, made.rankings, lam=4.0)
    posterior = unround.posterior(result)
    known = posterior_tables(result, posterior) | calibration_tables(unround.calibrate(result))
    run = run_of_result(result, known)
    return Snapshot.of_run(run), result, posterior
