"""Every number of Papers, Overview and Compare, computed again from the files of the runs: a conference
with contradictions, eight tracks and a line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Page, expect

import unround as library
from tests.console.client import Visitor
from tests.e2e import large
from tests.e2e.browsing import contents, unround
from tests.e2e.steps import api, cells_by_paper, origin
from tests.runs.test_places_without import run_without

PAPERS = 160
ROOM = 40
POLICIES = ("scores", "rankings")


@dataclass(frozen=True)
class Ranked:
    """First and last places of papers by one statistic, and the papers above a line."""

    first: dict[int, int]
    last: dict[int, int]

    def above(self, places: int) -> set[int]:
        return {paper for paper, last in self.last.items() if last <= places}

    def across(self, places: int) -> set[int]:
        return {p for p, first in self.first.items() if first <= places < self.last[p]}


def ranked(means: Mapping[int, float]) -> Ranked:
    """Count for each paper those that are strictly better and those that are tied, to 4 decimals."""
    grid = np.round(list(means.values()), 4)
    better = (grid[:, None] < grid).sum(axis=1)
    tied = (grid[:, None] == grid).sum(axis=1)
    first = dict(zip(means, (better + 1).tolist(), strict=True))
    return Ranked(first, dict(zip(means, (better + tied).tolist(), strict=True)))


def both(table: pl.DataFrame) -> tuple[Ranked, Ranked]:
    """Places by means of given and of new scores."""
    before, now = (
        ranked(dict(table.select("paper", f"{name}_mean").iter_rows()))
        for name in ("score", "dequantized")
    )
    return before, now


def place_texts(before: Ranked, now: Ranked, paper: int) -> tuple[str, str]:
    """What the cells of the place and of the one before should say: an arrow where it left its range."""

    def span(places: Ranked) -> str:
        first, last = places.first[paper], places.last[paper]
        return str(first) if first == last else f"{first}–{last}"

    up = now.last[paper] < before.first[paper]
    down = now.first[paper] > before.last[paper]
    arrow = " ▲up" if up else " ▼down" if down else ""
    return span(now) + arrow, span(before)


def about(places: Ranked, paper: int) -> str:
    """Return "64" for "about 64th", "268–278" for "about 268–278"."""
    first, last = places.first[paper], places.last[paper]
    return str(first) if first == last else f"{first}–{last}"


@dataclass
class Files:
    """A run as its files have it."""

    id: str
    folder: Path
    own_runs: dict[frozenset[str], Ranked] = field(default_factory=dict)
    papers: pl.DataFrame = field(init=False)
    reviews: pl.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        self.papers, self.reviews = (
            pl.read_csv(self.folder / f"{name}.csv") for name in ("papers", "scores")
        )

    @cached_property
    def places(self) -> tuple[Ranked, Ranked]:
        return both(self.papers)

    @cached_property
    def chances(self) -> dict[int, float]:
        """Of being among the first `ROOM`, off by a hundredth at most."""
        table = pl.read_csv(self.folder / "places.csv").filter(within="all")
        return {
            paper: float(np.interp(ROOM, group["place"], group["share"], left=0, right=1))
            for (paper,), group in table.group_by("paper")
        }

    @property
    def close(self) -> set[int]:
        return {paper for paper, chance in self.chances.items() if 0.1 <= chance <= 0.9}

    @property
    def close_places(self) -> tuple[int, int]:
        """The first and the last place of papers too close to call."""
        now = self.places[1]
        return min(now.first[p] for p in self.close), max(now.last[p] for p in self.close)

    @cached_property
    def contradicting(self) -> pl.DataFrame:
        """Reviews whose paper their reviewer ranks above one with a higher score, or below a lower one."""
        rankings = pl.read_csv(self.folder / "rankings.csv")
        own = self.reviews.join(rankings, on=("reviewer", "paper"))
        pairs = own.join(own, on="reviewer", suffix="_other").filter(
            (pl.col("rank") < pl.col("rank_other")) & (pl.col("score") < pl.col("score_other"))
        )
        ends = [pairs.select("reviewer", paper=name) for name in ("paper", "paper_other")]
        return self.reviews.join(pl.concat(ends).unique(), on=("reviewer", "paper"), how="semi")

    def without(self, people: frozenset[str]) -> Ranked:
        """Return the places of an own run without what these reviewers rank against their scores."""
        if people not in self.own_runs:
            rankings = pl.read_csv(self.folder / "rankings.csv")
            own = run_without(library.load(self.folder), rankings, people)
            means = own.papers.select("paper", "dequantized_mean").iter_rows()
            self.own_runs[people] = ranked(dict(means))
        return self.own_runs[people]

    @cached_property
    def effects(self) -> dict[int, list[str]]:
        """Papers that left their places through contradictions, with the places that are said."""
        before, now = self.places
        against = self.contradicting.with_columns(move=pl.col("dequantized") - pl.col("score"))
        found = {}
        for (paper,), own in against.group_by("paper"):
            up = now.last[paper] < before.first[paper]
            down = now.first[paper] > before.last[paper]
            pushing = own.filter((1 if up else -1) * pl.col("move") > 0)["reviewer"].to_list()
            if not (up or down) or not pushing:
                continue
            by_place = [(self.without(frozenset([who])).first[paper], who) for who in pushing]
            first = (max if up else min)(by_place)[1]
            everyone = frozenset(own["reviewer"] if len(pushing) > 1 else pushing)
            places = [self.without(people) for people in (everyone, frozenset([first]))]
            middles = [(r.first[paper] + r.last[paper]) / 2 for r in (before, now, places[0])]
            if abs(middles[2] - middles[0]) < abs(middles[2] - middles[1]):
                found[paper] = [about(of, paper) for of in places[: len(everyone)]]
        return found

    def caused(self, part: str) -> set[int]:
        """Papers of a part that would be on the other side of the line without contradictions."""
        places = {paper: texts[0].split("–") for paper, texts in self.effects.items()}
        crossing = {
            p for p, (*first, last) in places.items()
            if (int([*first, last][0]) <= ROOM if part == "out" else int(last) > ROOM)
        }  # fmt: skip
        return crossing & self.parts()[part]

    def sum_of_line(self) -> list[str]:
        """Return the terms of the headline, and who drops out."""
        parts, before = self.parts(), self.places[0]
        tied, room = before.across(ROOM), ROOM - len(before.above(ROOM))
        places = "the last place" if room == 1 else f"the last {room} places"
        out = len(parts["out"])
        terms = {
            f"{len(parts['stay'])} as before": parts["stay"],
            f"{len(parts['in'] & tied)} of the {len(tied)} that were tied for {places}": parts["in"]
            & tied,
            f"{len(parts['in'] - tied)} from below": parts["in"] - tied,
        }
        told = [text for text, papers in terms.items() if papers]
        return [*told, f"{out} drop out" if out > 1 else f"{out or 'none'} drops out"]

    def parts(self) -> dict[str, set[int]]:
        before, now = self.places
        return {
            "stay": before.above(ROOM) & now.above(ROOM),
            "in": now.above(ROOM) - before.above(ROOM),
            "out": before.above(ROOM) - now.above(ROOM) - now.across(ROOM),
            "tied": now.across(ROOM),
        }


@pytest.fixture(scope="module")
def runs(visitor: Visitor, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """A run for each policy, and the conference's line at `ROOM` papers."""
    folder = tmp_path_factory.mktemp("numbers")
    conference = visitor.new_conference("Counted again")
    files = visitor.upload(conference, contents(large.write(folder / "files", PAPERS)))
    found = {}
    for policy in POLICIES:
        method = {"conflicts": policy}
        run = visitor.start(conference, files, name=policy, method=method, uncertainty=True)
        target = folder / policy
        target.mkdir()
        for name in visitor.finished(run)["files"]:
            content = visitor.get(f"/api/runs/{run}/files/{name}").raise_for_status().content
            (target / name).write_bytes(content)
        found[policy] = Files(run, target)
    visitor.patch(f"/api/runs/{run}", json={"line": {"amount": ROOM}}).raise_for_status()
    return found


@pytest.fixture
def shown(runs: dict[str, Files]) -> Files:
    """The run that trusts the rankings."""
    return runs["rankings"]


def opened(chair: Page, files: Files, path: str = "") -> Page:
    chair.goto(f"{origin(chair)}/r/{files.id}{path}")
    expect(chair.get_by_role("table", name="Papers").first).to_be_visible()
    return chair


def chance_text(chance: float) -> str:
    if chance > 0.99:
        return "> 99%"
    return "< 1%" if chance < 0.01 else f"{np.floor(100 * chance + 0.5):.0f}%"


def plain(text: str) -> str:
    return " ".join(text.split())


def test_every_cell_of_papers(chair: Page, shown: Files) -> None:
    page = opened(chair, shown)
    before, now = shown.places
    cells = {
        name: {p: plain(text) for p, text in cells_by_paper(page, f"td.col-{name}").items()}
        for name in ("place", "was", "scores", "mean", "p_accept", "track")
    }
    given = {
        paper: "".join(map(str, group["score"]))
        for (paper,), group in shown.reviews.group_by("paper", maintain_order=True)
    }
    rows = {row["paper"]: row for row in shown.papers.iter_rows(named=True)}
    assert cells["place"].keys() == rows.keys()
    for paper, row in rows.items():
        place, was = place_texts(before, now, paper)
        warning = "⚠ a reviewer contradicts their own score" if paper in shown.effects else ""
        assert cells["place"][paper].replace(" ", "") == place.replace(" ", ""), paper
        assert cells["was"][paper].replace(" ", "") == f"{was}{warning}".replace(" ", ""), paper
        assert cells["scores"][paper].replace(" ", "") == given[paper], paper
        assert float(cells["mean"][paper]) == pytest.approx(row["dequantized_mean"], abs=5.1e-5)
        assert cells["track"][paper] == row["track"]
        percents = {chance_text(shown.chances[paper] + by) for by in (-0.01, 0, 0.01)}
        chance = cells["p_accept"][paper].removesuffix("too close to call").strip()
        assert chance in percents, (paper, shown.chances[paper])


def test_the_sentence_and_the_warning(chair: Page, shown: Files) -> None:
    page = opened(chair, shown)
    parts = {name: len(papers) for name, papers in shown.parts().items()}
    left = ROOM - parts["stay"] - parts["in"]
    assert left == 0  # or the sentence has one part more
    sentence = page.get_by_role("list", name="Papers around the line").get_by_role("listitem")
    *terms, out = shown.sum_of_line()
    assert sentence.all_inner_texts() == [
        f"{ROOM} in: {terms[0]}",
        ", ".join(terms[1:]),
        out,
        f"too close to call: {len(shown.close)}",
    ]
    caused = {part: len(shown.caused(part)) for part in ("out", "in")}
    words = {"out": "that drop out", "in": "from the tie or from below"}
    assert caused["out"]
    told = [f"{n} of the {parts[part]} {words[part]}" for part, n in caused.items() if n]
    warning = page.get_by_text(re.compile("a reviewer ranks against their own score"))
    expect(warning).to_contain_text(" and ".join(told))
    reasons = {
        paper: re.findall(r"about (\d+(?:–\d+)?)", text)
        for paper, text in cells_by_paper(page, "td.col-title").items()
        if "; without" in text
    }
    assert reasons == shown.effects
    page.get_by_role("button", name="The line: of").click()
    page.get_by_role("button", name="Go to the line").click()
    first, last = shown.close_places
    rule = f"{ROOM} in · too close to call: {len(shown.close)} papers, placed {first}–{last}"
    expect(page.locator(".rule-row")).to_have_text(rule)


@pytest.mark.parametrize("per_track", [False, True])
def test_the_table_of_tracks(chair: Page, shown: Files, per_track: bool) -> None:
    page = opened(chair, shown, "?accept=25%25&per=track" if per_track else "")
    page.get_by_role("button", name="The line: of").click()
    rows = page.get_by_role("table", name="Tracks").get_by_role("row")
    table = {cells[0]: cells[1:] for cells in (r.inner_text().split("\t") for r in rows.all())}
    table.pop("Track")
    order = shown.papers.sort("dequantized_mean", "paper", descending=[True, False])
    for (track,), group in shown.papers.group_by("track"):
        room = int(group.height / 4 + 0.5)
        now = both(group)[1] if per_track else shown.places[1]
        inside = room if per_track else order.head(ROOM).filter(track=track).height
        tied = now.across(room if per_track else ROOM) & set(group["paper"])
        expected = [group.height, *([room] if per_track else []), inside, len(tied)]
        found = list(map(int, table[track]))
        assert found[:-1] == expected, track
        if not per_track:
            assert found[-1] == len(shown.close & set(group["paper"]))


def test_every_number_of_the_overview(chair: Page, shown: Files) -> None:
    page = opened(chair, shown)
    page.get_by_role("link", name="Overview").click()
    parts = shown.parts()
    changing = len(parts["in"]) + len(parts["out"])
    overview = page.get_by_role("main")
    *terms, out = shown.sum_of_line()
    expect(overview).to_contain_text(f"{ROOM} in: {', '.join(terms)}; {out}.")
    expect(overview).to_contain_text(f"Of {PAPERS} papers, compared with plain means.")
    expect(overview).to_contain_text(f"For {len(shown.close)} papers the reviews cannot decide.")
    ask = page.get_by_role("region", name="Ask first")
    against = shown.contradicting
    reviewers = against["reviewer"].n_unique()
    expect(ask).to_contain_text(
        f"{reviewers} reviewers rank against their own scores, for {against['paper'].n_unique()} papers"
    )
    caused = len(shown.caused("out"))
    expect(ask).to_contain_text(f"They cause {caused} of the {len(parts['out'])} papers that drop")
    ask.get_by_role("button", name=f"All {reviewers} reviewers").click()
    messages = ask.locator("pre").all_text_contents()
    named = Counter(against["reviewer_name"])
    assert Counter({re.search(r"Dear (.*),", m)[1]: m.count("\n- ") for m in messages}) == named  # type: ignore[index]
    first, last = shown.close_places
    sure = page.get_by_role("region", name="How sure")
    expect(sure).to_contain_text(f"{len(shown.close)} papers, placed {first} to {last}, have")
    expect(sure).to_contain_text("One reviewer alone could take")
    tried = api(page, f"runs/{shown.id}/influence").json()["audit"]["tried"]
    audit = unround(
        "audit", "influence", shown.folder, "--accept", ROOM, "--sample", tried, "--json"
    )
    swing = json.loads(audit)
    expect(sure).to_contain_text(
        f"{swing['turning']:.1f}% of the papers they read across the line at {ROOM} "
        f"(plain means: {swing['plain_turning']:.1f}%)"
    )
    page.get_by_role("button", name=f"All {changing}").click()
    changes_of(page, shown, parts)
    ties = {
        name: sum(first != ranks.last[paper] for paper, first in ranks.first.items())
        for name, ranks in zip(("before", "now"), shown.places, strict=True)
    }
    summary = page.locator("summary").filter(has_text="tied before")
    expect(summary).to_contain_text(f"{ties['before']} papers tied before, {ties['now']} now")


def changes_of(page: Page, shown: Files, parts: dict[str, set[int]]) -> None:
    """The table of papers that change side has each of them, with its places and chance."""
    before, now = shown.places
    rows = page.get_by_role("table").filter(has_text="Why").locator("tbody tr").all()
    found = {}
    for row in rows:
        cells = row.locator("td").all_inner_texts()
        found[int(cells[1])] = cells
    assert found.keys() == parts["in"] | parts["out"]
    for paper, (places, _, title, why, chance) in found.items():
        span = [place_texts(ranks, ranks, paper)[1] for ranks in (before, now)]
        assert places == " → ".join(span), paper
        assert title == shown.papers.filter(paper=paper)["title"].item()
        assert why
        assert re.findall(r"about (\d+(?:–\d+)?)", why) == shown.effects.get(paper, []), paper
        percents = {chance_text(shown.chances[paper] + by) for by in (-0.01, 0, 0.01)}
        assert chance in percents, paper


def test_every_number_of_compare(chair: Page, runs: dict[str, Files]) -> None:
    opened(chair, runs["rankings"])
    chair.get_by_role("link", name="Compare").click()
    pair = [runs[policy] for policy in POLICIES]
    table = chair.get_by_role("table", name="Papers side by side")
    expect(table).to_be_visible()

    def side(files: Files, paper: int) -> str:
        now = files.places[1]
        if now.last[paper] <= ROOM:
            return "in"
        return "out" if now.first[paper] > ROOM else "tied"

    sides = {p: [side(files, p) for files in pair] for p in pair[0].papers["paper"]}
    changing = {paper for paper, (one, two) in sides.items() if one != two}
    assert changing
    chair.get_by_role("checkbox", name=f"Only papers that change side ({len(changing)})").check()
    expect(chair.get_by_text(f"{len(changing)} of {PAPERS} papers")).to_be_visible()
    assert compared(table).keys() == changing
    chair.get_by_role("checkbox", name=re.compile("Only papers that change side")).uncheck()
    chair.set_viewport_size({"width": 1440, "height": 900 + 36 * PAPERS})
    expect(table.get_by_role("rowheader")).to_have_count(PAPERS)
    means = [
        dict(zip(files.papers["paper"], files.papers["dequantized_mean"], strict=True))
        for files in pair
    ]
    for paper, (one, two, where, gained, *_) in compared(table).items():
        places = [files.places[1].first[paper] for files in pair]
        for cell, place, mean in zip((one, two), places, means, strict=True):
            assert cell == f"{place} {mean[paper]:.3f}", paper
        by = places[0] - places[1]
        assert gained == (f"↑ {by}" if by > 0 else f"↓ {-by}" if by else "0"), paper
        before, after = sides[paper]
        assert where == (before if before == after else f"{before} → {after}"), paper


def compared(table: Any) -> dict[int, list[str]]:
    rows = table.get_by_role("row").filter(has=table.page.get_by_role("rowheader"))
    return {
        int(row.get_by_role("rowheader").inner_text()): [
            plain(text) for text in row.get_by_role("cell").all_inner_texts()
        ]
        for row in rows.all()
    }
