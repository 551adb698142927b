"""The table of papers: order, a filter, modes, exports, and cells under their headings."""

from __future__ import annotations

import io
import re
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.browsing import accessible
from tests.e2e.steps import (
    MODES,
    STATISTIC_COLUMNS,
    api,
    choose_mode,
    demo_conference,
    header,
    open_menu,
    origin,
    paper_order,
    sort_by,
    table_of,
)

pytestmark = pytest.mark.demo


@pytest.fixture
def run(chair: Page) -> str:
    """The demo's run in which rankings ruled: it has contradictions."""
    runs = api(chair, f"conferences/{demo_conference(chair)}").json()["runs"]
    return str(next(run["id"] for run in runs if run["conflicts"] == "rankings"))


@pytest.fixture
def papers(chair: Page, run: str) -> Page:
    chair.goto(f"{origin(chair)}/r/{run}?{STATISTIC_COLUMNS}")
    expect(chair.get_by_role("heading", name="Papers", level=1)).to_be_visible()
    expect(chair.get_by_role("table", name="Papers")).to_be_visible()
    return chair


def test_sorting_by_several_columns_is_that_of_papers_csv_and_stays(papers: Page, run: str) -> None:
    choose_mode(papers, "given")
    sort_by(papers, "Range (max − min)", "descending")
    sort_by(papers, "Mean", "ascending", also=True)
    right = table_of(papers, run, "papers.csv").sort(
        "score_spread", "score_mean", "paper", descending=[True, False, False]
    )
    assert paper_order(papers) == right["paper"].to_list()
    papers.reload()
    expect(header(papers, "Mean")).to_have_attribute("aria-sort", "ascending")
    open_menu(papers, "View")
    expect(papers.get_by_role("radio", name=MODES["given"])).to_be_checked()
    papers.keyboard.press("Escape")
    assert paper_order(papers) == right["paper"].to_list()


def test_papers_whose_ranks_contradict_scores_are_those_of_the_record(
    papers: Page, run: str
) -> None:
    open_menu(papers, "+ Filter")
    papers.get_by_role("checkbox", name="Rank contradicts score").check()
    record = api(papers, f"runs/{run}/files/run.json").json()
    against = [one["papers"] for one in record["issues"] if one["kind"] == "contradiction"]
    assert against
    assert set(paper_order(papers)) == set().union(*against)


def test_exports_hold_what_is_shown_and_equal_the_files_of_the_run(
    papers: Page, run: str, tmp_path: Path
) -> None:
    sort_by(papers, "Min", "ascending")
    open_menu(papers, "+ Filter")
    papers.get_by_role("combobox", name="Track").select_option("Networks")
    papers.keyboard.press("Escape")
    shown = paper_order(papers)
    kept = {}
    for what in ("Papers as CSV", "Reviews as CSV"):
        papers.get_by_role("button", name="Export").click()
        with papers.expect_download() as download:
            papers.get_by_role("button", name=what).click()
        kept[what] = Path(download.value.path()).read_bytes()
        assert re.search(r"\d{4}-\d{2}-\d{2}_(papers|reviews)", download.value.suggested_filename)
        papers.keyboard.press("Escape")
    as_csv = pl.read_csv(io.BytesIO(kept["Papers as CSV"]))
    assert as_csv["paper"].to_list() == shown
    whole = table_of(papers, run, "papers.csv")
    right = pl.DataFrame({"paper": shown}).join(whole, on="paper", maintain_order="left")
    moved = pl.col("dequantized_mean") - pl.col("score_mean")
    in_files = [name for name in as_csv.columns if name in (*whole.columns, "moved")]
    assert as_csv.select(in_files).equals(right.with_columns(moved=moved).select(in_files))
    assert {"dequantized_min", "scores", "place", "given_place_last"} <= set(as_csv.columns)
    assert kept["Papers as CSV"].startswith(b"\xef\xbb\xbf")  # for Excel
    reviews = pl.read_csv(io.BytesIO(kept["Reviews as CSV"]))
    scores = table_of(papers, run, "scores.csv")
    assert reviews.height == 4 * len(shown)
    named = scores.with_columns(reviewer="reviewer_name").select(reviews.columns)
    assert reviews.sort("reviewer", "paper").equals(
        named.filter(pl.col("paper").is_in(shown)).sort("reviewer", "paper")
    )


def test_nine_controls_stand_above_the_table(papers: Page) -> None:
    papers.get_by_role("textbox", name="Accept").fill("15")
    expect(papers.get_by_role("list", name="Papers around the line")).to_be_visible()
    controls = papers.locator(
        "main :is(input, select, button, a):visible:not(table *):not(.trying *):not(.line-warning *)"
    )
    assert controls.count() <= 9, controls.all_inner_texts()
    top = papers.get_by_role("table", name="Papers").bounding_box()
    assert top is not None
    assert top["y"] < 225


def test_enter_leads_to_the_line(papers: Page) -> None:
    field = papers.get_by_role("textbox", name="Accept")
    field.fill("75")
    rule = papers.locator(".rule-row")
    expect(rule).not_to_be_in_viewport()
    field.press("Enter")
    expect(rule).to_be_in_viewport()
    expect(papers.locator("tbody .paper-row.above").last).to_be_in_viewport()
    expect(papers.locator("tbody .paper-row:not(.above)").first).to_be_in_viewport()


LONG = "Application-Driven Machine Learning (Health, Biology, Chemistry)"
CUT = """panel => [...panel.querySelectorAll('td.number, select')].filter(one =>
    one.getBoundingClientRect().right > panel.getBoundingClientRect().right)
    .map(one => one.outerHTML.slice(0, 80))"""
OVERLAP = """panel => { const [one, two] = [...panel.querySelectorAll('select')].map(
    each => each.getBoundingClientRect());
    return one.right > two.left && one.bottom > two.top }"""


def test_tracks_with_long_names_can_be_read(chair: Page, run: str) -> None:
    assert len(LONG) == 64

    def renamed(route: Route) -> None:
        view = route.fetch().json()
        first = view["papers"]["track"][0]
        view["papers"]["track"] = [LONG if one == first else one for one in view["papers"]["track"]]
        route.fulfill(json=view)

    chair.route(f"**/api/runs/{run}/view", renamed)
    chair.goto(f"{origin(chair)}/r/{run}?accept=25%25&per=track")
    for width in (390, 1280, 1440, 1920):
        chair.set_viewport_size({"width": width, "height": 900})
        chair.get_by_role("button", name="The line: of").click()
        panel = chair.get_by_role("group", name="The line: of")
        expect(panel.get_by_role("rowheader", name=LONG)).to_be_visible()
        assert panel.evaluate(CUT) == [], width
        chair.keyboard.press("Escape")
        open_menu(chair, "+ Filter")
        panel = chair.get_by_role("group", name="+ Filter")
        assert panel.evaluate(CUT) == [], width
        assert not panel.evaluate(OVERLAP), width
        chair.keyboard.press("Escape")
    cell = chair.locator(f"td.col-track span[title='{LONG}']").first
    expect(cell).to_be_visible()
    assert cell.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "cut at 1920"


def test_a_row_opens_to_its_reviews_and_the_paper_has_a_page(papers: Page, run: str) -> None:
    title = table_of(papers, run, "papers.csv").filter(paper=14)["title"].item()
    papers.get_by_role("textbox", name="Search").fill(title)
    papers.get_by_role("button", name="Reviews of paper 14").click()
    inside = papers.get_by_role("table", name="Reviews of paper 14")
    scores = table_of(papers, run, "scores.csv").filter(paper=14).sort("reviewer")
    expect(inside.get_by_role("row")).to_have_count(5)
    for value in scores["dequantized"]:
        expect(inside).to_contain_text(f"{value:.3f}")
    papers.get_by_role("link", name="Open paper 14").click()
    expect(papers.get_by_role("heading", level=1)).to_contain_text("14")
    ruler = papers.get_by_role("img", name="Reviews from the given score to the new one")
    for value in scores["dequantized"]:
        assert f"{value:.3f}" in (ruler.get_attribute("aria-label") or "")
    accessible(papers)


COLUMN = "cells => cells.map(cell => cell.className.match(/col-\\w+/)[0])"
ROWS = """rows => rows.map(row =>
    [...row.children].map(cell => cell.className.match(/col-\\w+/)[0]))"""
# On both sides of every width at which a style or a layout changes.
WIDTHS = (390, 599, 601, 639, 641, 959, 961, 1280, 1440, 1599, 1601, 1920)


def expect_cells_under_headings(page: Page, columns: int) -> None:
    """Every drawn row has the columns of the headings, in their order."""
    table = page.get_by_role("table", name="Papers")
    expect(table.locator("col")).to_have_count(columns)
    names = table.locator("thead th").evaluate_all(COLUMN)
    for cells in table.locator("tbody tr.paper-row").evaluate_all(ROWS):
        assert cells == names


def test_cells_follow_the_headings_at_every_width_and_those_chosen(papers: Page) -> None:
    for width in (*WIDTHS, *WIDTHS[::-1], WIDTHS[-1]):
        papers.set_viewport_size({"width": width, "height": 900})
        expect_cells_under_headings(papers, 5 if width < 600 else 12)
    open_menu(papers, "View")
    for shown, name in ((11, "Track"), (10, "Was"), (11, "Reviews"), (12, "Track")):
        papers.get_by_role("checkbox", name=name, exact=True).click()
        expect_cells_under_headings(papers, shown)
