"""Places, the line and its sentence, against a computation from papers.csv; Back; no number cut."""

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
from tests.e2e.steps import (
    STATISTIC_COLUMNS,
    cells_by_paper,
    choose_mode,
    open_menu,
    paper_order,
    sort_by,
)
from tests.e2e.test_offline_report import opened
from unround.disclosure.snapshot import read_snapshot
from unround.disclosure.view import view
from unround.report import pages

PAPERS = 90
UNSCORED = 9001  # a paper that nobody has reviewed
WIDTHS = (390, 720, 1024, 1440, 2560)  # 720: the zoom of 200% on 1440


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with tracks, and its page with one more paper, which has no reviews."""
    made = tmp_path_factory.mktemp("line")
    rankings, reviews = simulated(made, papers=PAPERS, seed=4)
    unround("run", reviews, "--rankings", rankings, "-o", made / "run")
    shown = view(read_snapshot(made / "run"))
    papers = shown["papers"]
    papers["paper"].append(UNSCORED)
    for column in (papers["title"], papers["track"], papers["area_chair"], papers["decision"]):
        if column is not None:
            column.append(None)
    (made / "page.html").write_bytes(pages.page(shown))
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


def place_texts(before: Ranked, now: Ranked, paper: int) -> tuple[str, str]:
    """What the cells of the place and of the one before should say: an arrow where it left its range."""

    def span(places: Ranked) -> str:
        first, last = places.first[paper], places.last[paper]
        return str(first) if first == last else f"{first}–{last}"

    up = now.last[paper] < before.first[paper]
    down = now.first[paper] > before.last[paper]
    arrow = " ▲up" if up else " ▼down" if down else ""
    return span(now) + arrow, span(before)


def test_places_are_those_of_papers_csv(page: Page, folder: Path) -> None:
    table = pl.read_csv(folder / "run" / "papers.csv")
    page.goto(f"{(folder / 'page.html').as_uri()}#/?{STATISTIC_COLUMNS}")
    for statistic, descending in product(("Mean", "Median", "Min"), (True, False)):
        before, now = both(table, statistic.lower(), descending=descending)
        sort_by(page, statistic, "descending" if descending else "ascending")
        shown = cells_by_paper(page, "td.col-place"), cells_by_paper(page, "td.col-was")
        cells = {
            paper: tuple("".join(column[paper].split("\n")).strip() for column in shown)
            for paper in shown[0]
        }
        assert cells.pop(UNSCORED) == ("–", "no scores")
        expected = {paper: place_texts(before, now, paper) for paper in table["paper"]}
        assert cells == expected, (statistic, descending)


def accept(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Accept").fill(text)


def sentence(page: Page) -> list[str]:
    items = page.get_by_role("list", name="Papers around the line").get_by_role("listitem")
    return items.all_inner_texts()


def side(page: Page, name: str) -> None:
    """Filter for a side of the line."""
    open_menu(page, "+ Filter")
    page.get_by_role("combobox", name="Side of the line").select_option(name)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("per_track", [False, True])
def test_the_sentence_and_its_filters_are_those_of_papers_csv(
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
            page.get_by_role("button", name="The line: of").click()
            page.get_by_role("checkbox", name="in each track").check()
            page.keyboard.press("Escape")
        expect_sentence(page, groups, share)


def expect_sentence(page: Page, groups: list[tuple[pl.DataFrame, int]], share: str) -> None:
    """The sentence counts the papers of groups, of a number of papers each, adds up, and filters."""
    parts: dict[str, set[int]] = {name: set() for name in ("stay", "in", "out", "tied")}
    filled = unfilled = 0
    for group, size in groups:
        asked = min(size, share_of(share, size))
        places = min(asked, group.height)
        filled += places
        unfilled += asked - places
        before, now = both(group)
        parts["stay"] |= before.above(places) & now.above(places)
        parts["in"] |= now.above(places) - before.above(places)
        parts["out"] |= before.above(places) - now.above(places) - now.across(places)
        parts["tied"] |= now.across(places)
    sizes = {name: len(papers) for name, papers in parts.items()}
    left = filled - sizes["stay"] - sizes["in"]
    tied = f"{sizes['tied']} tied for {left} place{'' if left == 1 else 's'}"
    assert sentence(page) == [
        f"{sizes['stay']} stay",
        f"{sizes['in']} come in",
        f"{sizes['out']} drop out",
        tied if sizes["tied"] else "0 tied",
    ]
    assert left == 0 or sizes["tied"] > left
    if unfilled:
        expect(page.get_by_text(re.compile(rf"^{unfilled} places? not filled"))).to_be_visible()
    for name, papers in parts.items():
        if papers:
            side(page, name)
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
    page.get_by_role("button", name="The line: of").click()
    page.get_by_role("button", name="Go to the line").click()
    rule = page.get_by_role("row", name="20 in", exact=True)
    expect(rule).to_be_in_viewport()
    assert rule.get_attribute("aria-rowindex") == "22"  # below the heading and 20 papers
    before, now = both(table)
    stay = {p for p in table["paper"] if before.last[p] <= 20 and now.last[p] <= 20}
    open_menu(page, "+ Filter")
    page.get_by_role("combobox", name="Side of the line").select_option("In either way")
    assert set(paper_order(page)) == stay
    page.get_by_role("combobox", name="Track").select_option("Theory")
    theory = set(table.filter(track="Theory")["paper"])
    assert set(paper_order(page)) == stay & theory
    page.reload()
    expect(page.get_by_role("textbox", name="Accept")).to_have_value("20")
    assert set(paper_order(page)) == stay & theory


def test_back_goes_through_line_filter_sort_and_mode(page: Page, folder: Path) -> None:
    page.goto(f"{(folder / 'page.html').as_uri()}#/?{STATISTIC_COLUMNS}")
    choose_mode(page, "given")
    sort_by(page, "Median", "descending")
    page.get_by_role("textbox", name="Search").press_sequentially("paper 1")
    accept(page, "30")
    open_menu(page, "+ Filter")
    page.get_by_role("checkbox", name="Rank contradicts score").check()
    page.keyboard.press("Escape")
    chip = page.get_by_role("button", name="Remove the filter Rank contradicts score")
    expect(chip).to_be_visible()

    def new_scores() -> None:
        open_menu(page, "View")
        expect(page.get_by_role("radio", name="New scores")).to_be_checked()

    steps = [
        lambda: expect(chip).to_have_count(0),
        lambda: expect(page.get_by_role("textbox", name="Accept")).to_have_value(""),
        lambda: expect(page.get_by_role("textbox", name="Search")).to_have_value(""),
        lambda: expect(page.get_by_role("columnheader", name="Mean")).to_have_attribute(
            "aria-sort", "descending"
        ),
        new_scores,
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
        *(f"/?mode={mode}&accept=20" for mode in ("given", "dequantized")),
        f"/?{STATISTIC_COLUMNS}.rankings.new_scores.percentile",
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
