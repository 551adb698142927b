"""From a simulated conference to a run: links, answers by script, contradictions answered."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
import pytest

from tests.console.ballots.conftest import Voter
from tests.console.conftest import World
from unround import simulate
from unround.formats.synthetic import named

REVIEWERS = 60
ANSWERS = ("order", "score", "both", "unsure")


def _turned(order: list[str], scores: dict[str, int]) -> tuple[list[str], tuple[str, str] | None]:
    """Swap the first two neighbours with different scores: the order's only contradiction."""
    for place, (above, below) in enumerate(pairwise(order)):
        if scores[above] > scores[below]:
            return [*order[:place], below, above, *order[place + 2 :]], (below, above)
    return order, None


def _ranks(order: list[str], tied: tuple[str, str] | None) -> dict[str, int]:
    """Ranks as a file would have them: a comparison that was taken back is a tie."""
    ranks = {paper: rank for rank, paper in enumerate(order, start=1)}
    if tied is not None:
        ranks[tied[1]] = ranks[tied[0]]
    return ranks


@pytest.mark.slow
def test_a_run_on_ballots_is_the_run_on_the_same_rankings_from_a_file(house: World, kind: str):
    if kind == "postgresql":
        pytest.skip("once is enough: the other tests of ballots take both databases")
    conference = named(simulate.thurstone(REVIEWERS, scale=range(1, 11), seed=11))
    chair, id = house.chair, house.chair.new_conference("Simulated")
    content = conference.reviews.write_csv().encode()
    reviews = chair.upload(id, [("files", ("reviews.csv", content))])
    wanted = {"title": "Rankings", "source": {"files": reviews}}
    collection = chair.made(f"/api/conferences/{id}/collections", wanted)["id"]
    links = chair.made(f"/api/collections/{collection}/links", {})["links"]
    assert len(links) == REVIEWERS
    rankings = {
        str(reviewer): [str(paper) for paper in rows.sort("rank")["paper"]]
        for (reviewer,), rows in conference.rankings.group_by("reviewer")
    }
    expected, given = [], dict.fromkeys(ANSWERS, 0)
    voter = Voter(house.console, house.app)
    for number, link in enumerate(links):
        voter.cookies.clear()
        voter.enter(link["url"])
        ballot = voter.ballot()
        scores = {paper["paper"]: paper["score"] for paper in ballot["papers"]}
        order, pair = rankings[link["reviewer"]], None
        if number % 3 == 0:  # a third of the reviewers contradict themselves
            order, pair = _turned(order, scores)
        said = {"groups": [[paper] for paper in order]}
        saved, answer = voter.put(said, 0, submit=pair is None).json(), None
        asked = [(one["above"], one["below"]) for one in saved["contradictions"]]
        assert asked == ([] if pair is None else [pair])
        if pair is not None:
            answer = ANSWERS[number // 3 % 4]
            given[answer] += 1
            said["answers"] = [{"above": pair[0], "below": pair[1], "answer": answer}]
            assert voter.put(said, 1, submit=True).json()["version"] == 2
        ranks = _ranks(order, pair if answer in ("score", "unsure") else None)
        expected += [(link["reviewer"], paper, rank) for paper, rank in ranks.items()]
    told = chair.get(f"/api/collections/{collection}").json()
    assert told["counts"]["submitted"] == REVIEWERS
    assert {name: told["contradictions"][name] for name in ANSWERS} == given
    assert min(given.values()) > 0

    used = chair.made(f"/api/collections/{collection}/use", {})
    assert (used["ballots"], used["conflicts"], len(used["files"])) == (REVIEWERS, "rankings", 1)
    table = pl.DataFrame(expected, schema=["reviewer", "paper", "rank"], orient="row")
    by_hand = [("files", ("by-hand.csv", table.write_csv().encode()))]
    ballots, file = [one["id"] for one in used["files"]], chair.upload(id, by_hand)
    method = {"conflicts": used["conflicts"]}
    runs = [chair.run(id, [*reviews, *files], method=method) for files in (ballots, file)]
    assert [run["status"] for run in runs] == ["done", "done"]
    results = [chair.get(f"/api/runs/{run['id']}/files/scores.csv").content for run in runs]
    assert results[0] == results[1]
    chair.delete(f"/api/conferences/{id}")
