"""Places, the line and its card, against a computation from papers.csv; Back; no number cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import Watched, accessible_in_light_and_dark, simulated, unround
from tests.e2e.steps import cells_by_paper, choose_mode, paper_order, sort_by
from tests.e2e.test_offline_report import opened
from unround.disclosure.snapshot import read_snapshot
from unround.disclosure.view import view
from unround.report.page import write_page

PAPERS = 90
UNSCORED = 9001  # a paper that nobody has reviewed
WIDTHS = (390, 720, 1024, 1440, 2560)  # 720: the zoom of 200% on 1440


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with tracks, and its page with one more paper, which has no reviews."""
    made = tmp_path_factory.mktemp("line")
    rankings, reviews = simulated(made, "csv", papers=PAPERS, seed=4)
    unround("run", reviews, "--rankings", rankings, "-o", made / "run")
    shown = view(read_snapshot(made / "run"))
    papers = shown["papers"]
    papers["paper"].append(UNSCORED)
    for column in (papers["title"], papers["track"], papers["area_chair"], papers["decision"]):
        if column is not None:
            column.append(None)
    write_page(shown, made / "page.html")
    return made


@pytest.fixture
def page(watched: Watched, folder: Path) -> Page:
    return opened(watched(), folder / "page.html")


@dataclass(frozen=True)
class Ranked:
    """First and last places of papers by one statistic, and the papers above a line."""

    first: dict[int, int]
    last: dict[int, int]

    def above(self, places: int) -> set[int]:
        return {paper for paper, last in self.last.items() if last <= places}

    def across(self, places: int) -> set[int]:
        return {p for p, first in self.first.items() if first <= places < self.last[p]}


def ranked(papers: Iterable[int], values: Iterable[float], *, descending: bool = True) -> Ranked:
    """Count for each paper those that are strictly better and those that are tied, to 4 decimals."""
    grid = np.round(np.asarray(list(values)), 4) * (-1 if descending else 1)
    better = (grid[:, None] > grid[None, :]).sum(axis=1)
    tied = (grid[:, None] == grid[None, :]).sum(axis=1)
    ids = list(papers)
    first = dict(zip(ids, (better + 1).tolist(), strict=True))
    return Ranked(first, dict(zip(ids, (better + tied).tolist(), strict=True)))


def both(table: pl.DataFrame, statistic: str = "mean", *, descending: bool = True) -> list[Ranked]:
    """Places by given and by dequantized scores."""
    return [
        ranked(table["paper"], table[f"{name}_{statistic}"], descending=descending)
        for name in ("score", "dequantized")
    ]


def place_text(before: Ranked, now: Ranked, paper: int) -> str:
    """What the cell of a place should say."""

    def span(places: Ranked) -> str:
        first, last = places.first[paper], places.last[paper]
        return str(first) if first == last else f"{first}–{last}"

    def tied(places: Ranked) -> str:
        return f"{span(places)} tied" if places.first[paper] != places.last[paper] else span(places)

    change = (before.first[paper] + before.last[paper]) - (now.first[paper] + now.last[paper])
    arrow = "↑ up" if change > 0 else "↓ down" if change < 0 else ""
    other = "" if tied(before) == tied(now) else f"before: ({tied(before)})"
    return " ".join(part for part in (span(now), arrow, other) if part)


def test_places_are_those_of_papers_csv(page: Page, folder: Path) -> None:
    table = pl.read_csv(folder / "run" / "papers.csv")
    for statistic, descending in product(("Mean", "Median", "Min"), (True, False)):
        before, now = both(table, statistic.lower(), descending=descending)
        sort_by(page, statistic, "descending" if descending else "ascending")
        cells = {
            paper: " ".join(text.split())
            for paper, text in cells_by_paper(page, "td.col-place").items()
        }
        assert cells.pop(UNSCORED) == "no scores"
        expected = {paper: place_text(before, now, paper) for paper in table["paper"]}
        assert cells == expected, (statistic, descending)


def accept(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Accept").fill(text)


def card(page: Page) -> list[str]:
    items = page.get_by_role("list", name="Papers around the line").get_by_role("button")
    return [text for text in items.all_inner_texts() if text != "Go to the line"]


@pytest.mark.parametrize("per_track", [False, True])
def test_the_card_and_its_filters_are_those_of_papers_csv(
    page: Page, folder: Path, per_track: bool
) -> None:
    table = pl.read_csv(folder / "run" / "papers.csv")
    # The paper without scores has no track either, and counts among those that a share is of.
    groups = [(table, table.height + 1)]
    if per_track:
        tracks = [table.filter(track=track) for track in table["track"].unique()]
        groups = [*((track, track.height) for track in tracks), (table.clear(), 1)]
    for share in ("5", "12", "31", "40", "25%", "50%", "100%"):
        page.goto("about:blank")
        page.goto((folder / "page.html").as_uri())
        accept(page, share)
        if per_track:
            page.get_by_role("checkbox", name="in each track").check()
        expect_card(page, groups, share)


def expect_card(page: Page, groups: list[tuple[pl.DataFrame, int]], share: str) -> None:
    """The card counts the papers of groups, of a number of papers each, and filters for them."""
    names = ("clear", "tied", "settled", "undecided", "risen", "fallen")
    parts: dict[str, set[int]] = {name: set() for name in names}
    left = unfilled = 0
    for group, size in groups:
        asked = min(size, share_of(share, size))
        places = min(asked, group.height)
        unfilled += asked - places
        before, now = both(group)
        parts["clear"] |= before.above(places)
        parts["tied"] |= before.across(places)
        parts["settled"] |= before.across(places) & now.above(places)
        parts["undecided"] |= now.across(places)
        parts["risen"] |= now.above(places) - before.above(places) - before.across(places)
        parts["fallen"] |= before.above(places) - now.above(places) - now.across(places)
        left += places - len(before.above(places)) if before.across(places) else 0
    texts = card(page)
    sizes = {name: len(papers) for name, papers in parts.items()}
    assert f"{sizes['clear']} clear" in texts
    if sizes["tied"]:
        noun = "place" if left == 1 else "places"
        assert f"{sizes['tied']} tied for {left} {noun}" in texts
    else:
        assert "none tied at the line" in texts
    assert f"undecided: {sizes['undecided']}" in texts
    if unfilled:
        expect(page.get_by_text(re.compile(rf"^{unfilled} places? not filled"))).to_be_visible()
    patterns = {
        "clear": r" clear$",
        "tied": r" tied for ",
        "settled": r"^settled by ",
        "undecided": r"^undecided: ",
        "risen": r"^risen above: ",
        "fallen": r"^fallen below: ",
    }
    for name, papers in parts.items():
        if not papers:
            continue
        button = page.get_by_role("button", name=re.compile(patterns[name]))
        assert re.findall(r"\d+", button.inner_text())[
            0 if name in ("clear", "tied") else -1
        ] == str(len(papers))
        button.click()
        assert set(paper_order(page)) == papers, (share, name)


def share_of(share: str, size: int) -> int:
    if share.endswith("%"):
        return int(np.floor(size * float(share[:-1]) / 100 + 0.5))
    return int(share)


def test_the_rule_is_below_the_accepted_papers_and_filters_combine(
    page: Page, folder: Path
) -> None:
    table = pl.read_csv(folder / "run" / "papers.csv")
    accept(page, "20")
    page.get_by_role("button", name="Go to the line").click()
    rule = page.get_by_role("row", name="20 accepted above")
    expect(rule).to_be_in_viewport()
    assert rule.get_attribute("aria-rowindex") == "22"  # below the heading and 20 papers
    before, now = both(table)
    broken = {
        paper
        for paper in table["paper"]
        if before.first[paper] != before.last[paper] and now.first[paper] == now.last[paper]
    }
    page.get_by_role("checkbox", name="Tie broken").check()
    assert set(paper_order(page)) == broken
    page.get_by_role("combobox", name="Track").select_option("Theory")
    theory = set(table.filter(track="Theory")["paper"])
    assert set(paper_order(page)) == broken & theory
    page.get_by_role("spinbutton", name="Change of place").fill("2")
    middle = {
        paper: (before.first[paper] + before.last[paper] - now.first[paper] - now.last[paper]) / 2
        for paper in table["paper"]
    }
    moved = {paper for paper, change in middle.items() if abs(change) >= 2}
    assert set(paper_order(page)) == broken & theory & moved
    page.reload()
    expect(page.get_by_role("textbox", name="Accept")).to_have_value("20")
    assert set(paper_order(page)) == broken & theory & moved


def test_back_goes_through_line_filter_sort_and_mode(page: Page) -> None:
    choose_mode(page, "given")
    sort_by(page, "Median", "descending")
    page.get_by_role("textbox", name="Search").press_sequentially("paper 1")
    accept(page, "30")
    page.get_by_role("checkbox", name="Tie broken").check()
    steps = [
        lambda: expect(page.get_by_role("checkbox", name="Tie broken")).not_to_be_checked(),
        lambda: expect(page.get_by_role("textbox", name="Accept")).to_have_value(""),
        lambda: expect(page.get_by_role("textbox", name="Search")).to_have_value(""),
        lambda: expect(page.get_by_role("columnheader", name="Mean")).to_have_attribute(
            "aria-sort", "descending"
        ),
        lambda: expect(page.get_by_role("radio", name="Dequantized")).to_be_checked(),
    ]
    for undone in steps:
        page.go_back()
        undone()


# Two frames after the fonts are there.
DRAWN = """() => document.fonts.ready.then(() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done))))"""
CUT = """() => [...document.querySelectorAll('td.number, td.col-place, th.number')]
    .filter((cell) => cell.offsetParent !== null && cell.scrollWidth > cell.clientWidth)
    .map((cell) => `${cell.className}: ${cell.textContent}`)"""


def expect_to_fit(page: Page, address: str) -> None:
    """No number of the page that is shown is cut off, and the page is not wider than the window."""
    page.evaluate(DRAWN)
    assert page.evaluate(CUT) == [], address
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{address} is {wide} px wider than the window"


@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_is_cut_and_axe_finds_nothing(watched: Watched, folder: Path, width: int) -> None:
    height = 450 if width == 720 else 900
    context = watched(viewport={"width": width, "height": height})
    page = opened(context, folder / "page.html")
    addresses = [
        *(f"/?mode={mode}&accept=20" for mode in ("given", "dequantized", "percentile")),
        "/?sort=-max&columns=place.paper.scores.min.max.mean.moved.change",
        "/?open=3&sort=-change",
        "/overview?accept=20",
        "/paper/3",
    ]
    for address in addresses:
        page.goto(f"{(folder / 'page.html').as_uri()}#{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect_to_fit(page, address)
    for address in ("/?accept=20", "/overview?accept=20", "/paper/3"):
        page.goto(f"{(folder / 'page.html').as_uri()}#{address}")
        page.evaluate(DRAWN)
        accessible_in_light_and_dark(page)
