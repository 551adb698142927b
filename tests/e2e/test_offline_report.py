"""The page as one file, opened from disk with the network off: the line, Back, every width."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.browsing import (
    Watched,
    accessible,
    accessible_in_light_and_dark,
    simulated,
    unround,
)
from tests.e2e.steps import (
    STATISTIC_COLUMNS,
    choose_mode,
    open_menu,
    own_papers,
    paper_order,
    sort_by,
)
from unround.disclosure.snapshot import read_snapshot
from unround.disclosure.view import view
from unround.report import pages

PAPERS = 90
UNSCORED = 9001  # a paper that nobody has reviewed
WIDTHS = (390, 720, 1024, 1440, 2560)  # 720: the zoom of 200% on 1440
MOST_BYTES = 300_000  # of an area chair's page: large conferences send hundreds of them


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with all estimates, its page with a paper that has no reviews, and area chairs' pages."""
    made = tmp_path_factory.mktemp("report")
    rankings, reviews = simulated(made, papers=PAPERS, seed=4)
    asked = ("--uncertainty", "--accept", "20", "--calibrate", "--stability")
    unround("run", reviews, "--rankings", rankings, *asked, "-o", made / "run")
    unround("report", made / "run", "--all-area-chairs", "-o", made / "pages")
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


def opened(context: BrowserContext, path: Path) -> Page:
    """Open a file; every request to anything but a file is an error."""
    context.set_offline(True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.get_by_role("table", name="Papers")).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    return page


def accept(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Accept").fill(text)


def test_an_area_chairs_page_has_their_papers(watched: Watched, folder: Path) -> None:
    name = pl.read_csv(folder / "pages" / "index.csv")["file"][1]
    page = opened(watched(), folder / "pages" / name)
    assert (folder / "pages" / name).stat().st_size < MOST_BYTES
    papers = own_papers(page)
    assert sorted(papers) == list(range(13, 25))
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
        page.get_by_role("button", name="This table (CSV)").click()
    assert pl.read_csv(download.value.path())["paper"].to_list() == papers
    accessible(page)
    page.get_by_role("link", name=str(papers[0]), exact=True).click()
    expect(page.get_by_text("★").first).to_be_visible()
    accessible(page)


def test_the_rule_is_below_the_accepted_papers_and_filters_combine(
    page: Page, folder: Path
) -> None:
    accept(page, "20")
    page.get_by_role("button", name="The line: of").click()
    page.get_by_role("button", name="Go to the line").click()
    rule = page.get_by_role("row", name=re.compile("^20 in"))
    expect(rule).to_be_in_viewport()
    assert rule.get_attribute("aria-rowindex") == "22"  # below the heading and 20 papers
    median = page.get_by_text("The line goes by the median.")
    expect(median).to_have_count(0)
    page.goto(f"{(folder / 'page.html').as_uri()}#/?accept=20&sort=-median")
    expect(median).to_be_visible()
    page.goto(f"{(folder / 'page.html').as_uri()}#/?accept=20")
    open_menu(page, "+ Filter")
    page.get_by_role("combobox", name="Side of the line").select_option("In either way")
    stay = set(paper_order(page))
    parts = page.get_by_role("list", name="Papers around the line").get_by_role("listitem")
    expect(parts.first).to_have_text(f"20 in: {len(stay)} as before")
    page.get_by_role("combobox", name="Track").select_option("Theory")
    table = pl.read_csv(folder / "run" / "papers.csv")
    both = stay & set(table.filter(track="Theory")["paper"])
    assert set(paper_order(page)) == both
    page.reload()
    expect(page.get_by_role("textbox", name="Accept")).to_have_value("20")
    assert set(paper_order(page)) == both


def test_a_paper_without_scores_has_no_place_and_fills_none(page: Page) -> None:
    accept(page, "100%")
    expect(page.get_by_text("1 place not filled: no more papers have scores.")).to_be_visible()
    page.get_by_role("textbox", name="Search").fill(str(UNSCORED))
    assert paper_order(page) == [UNSCORED]
    expect(page.get_by_role("cell", name="no scores")).to_be_visible()


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
ADDRESSES = (
    *(f"/?mode={mode}&accept=20" for mode in ("given", "dequantized")),
    f"/?{STATISTIC_COLUMNS}.rankings.new_scores.percentile",
    "/?sort=-max&columns=place.paper.scores.min.max.mean.moved.change",
    "/?open=3&sort=-change",
    "/overview?accept=20",
    "/paper/3?accept=20",
)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_number_is_cut_and_axe_finds_nothing(watched: Watched, folder: Path, width: int) -> None:
    context = watched(viewport={"width": width, "height": 450 if width == 720 else 900})
    page = opened(context, folder / "page.html")
    for address in ADDRESSES:
        page.goto(f"{(folder / 'page.html').as_uri()}#{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.evaluate(DRAWN)
        assert page.evaluate(CUT) == [], address
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{address} is {wide} px wider than the window"
        if "accept=20" in address:
            accessible_in_light_and_dark(page)
    expect(page.get_by_text(re.compile("its reviewers’ strictness")).first).to_be_visible()
