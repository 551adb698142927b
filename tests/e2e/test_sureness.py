"""How sure places are: chances for any line, against uncertainty.csv and draws."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, expect

import unround as library
from tests.e2e.browsing import Watched, accessible, accessible_in_light_and_dark, simulated, unround
from tests.e2e.steps import add_files, new_conference, paper_order, run_to_the_end
from tests.e2e.test_line import accept, expect_to_fit
from tests.e2e.test_offline_report import opened

PAPERS = 60


@pytest.fixture(scope="module")
def conference(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Rankings and reviews."""
    made = tmp_path_factory.mktemp("sure")
    return simulated(made, papers=PAPERS, seed=4, noise=1)


@pytest.fixture(scope="module")
def folder(conference: list[Path]) -> Path:
    rankings, reviews = conference
    run = reviews.parent / "run"
    asked = ("--uncertainty", "--accept", "25%", "--calibrate", "--stability")
    unround("run", reviews, "--rankings", rankings, *asked, "-o", run)
    return run


def shown_chances(page: Page) -> dict[int, str]:
    """P(accept) of the papers on screen."""
    rows = page.evaluate(
        """() => [...document.querySelectorAll('td.col-p_accept')].map((cell) =>
            [cell.parentElement.querySelector('th a').textContent, cell.firstChild.textContent])"""
    )
    return {int(paper): text for paper, text in rows}


def test_the_line_of_the_run_has_the_chances_of_its_file(watched: Watched, folder: Path) -> None:
    page = opened(watched(), folder / "report.html")
    accept(page, "25%")
    table = pl.read_csv(folder / "uncertainty.csv")
    grey = table.filter(pl.col("p_accept").is_between(0.1, 0.9))
    assert 3 < grey.height < PAPERS
    page.get_by_role("button", name=re.compile(rf"^too close to call: {grey.height}$")).click()
    assert set(paper_order(page)) == set(grey["paper"])
    shown = shown_chances(page)
    assert shown
    for paper, text in shown.items():
        exact = grey.filter(paper=paper)["p_accept"].item()
        assert abs(float(text.removesuffix("%")) / 100 - exact) <= 0.015, paper
    expect(page.get_by_text("An estimate by a model").first).to_be_visible()
    words = page.get_by_text("The line goes by the median.")
    expect(words).to_have_count(0)
    page.goto(f"{(folder / 'report.html').as_uri()}#/?accept=25%25&sort=-median")
    expect(words).to_be_visible()


def test_any_other_line_needs_no_other_run(
    watched: Watched, folder: Path, conference: list[Path]
) -> None:
    rankings, reviews = conference
    page = opened(watched(), folder / "report.html")
    result = library.dequantize(library.read(reviews, rankings=rankings))
    chances = library.posterior(result).p_top(40)
    accept(page, "40")
    grey = chances.filter(pl.col("probability").is_between(0.1, 0.9))
    page.get_by_role("button", name=re.compile(rf"^too close to call: {grey.height}$")).click()
    ids = {str(paper) for paper in grey["paper"]}
    assert {str(paper) for paper in paper_order(page)} == ids
    page.get_by_role("button", name=re.compile("^too close to call")).click()
    page.get_by_role("button", name="The line: of").click()
    page.get_by_text("in each track").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("columnheader", name="In?")).to_be_visible()
    page.get_by_role("textbox", name="Accept").fill("")
    expect(page.get_by_role("columnheader", name="In?")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_no_number_is_cut_and_axe_finds_nothing(watched: Watched, folder: Path, width: int) -> None:
    context = watched(viewport={"width": width, "height": 900})
    page = opened(context, folder / "report.html")
    for address in ("/?accept=25%25", "/overview?accept=25%25", "/paper/3?accept=25%25"):
        page.goto(f"{(folder / 'report.html').as_uri()}#{address}")
        expect_to_fit(page, address)
        accessible_in_light_and_dark(page)
    expect(
        page.get_by_text(re.compile(r"Most likely between .* Chance of being among the best 25%"))
    ).to_be_visible()
    expect(page.get_by_text(re.compile("its reviewers’ strictness")).first).to_be_visible()


def test_a_run_of_the_console_estimates_chances_by_default(
    chair: Page, conference: list[Path]
) -> None:
    new_conference(chair, "How sure")
    add_files(chair, conference)
    expect(chair.get_by_role("checkbox", name="Chance of each paper to be in")).to_be_checked()
    accessible(chair)
    run_to_the_end(chair, "Asked")
    chair.get_by_role("button", name="Details of Asked").click()
    files = chair.get_by_role("group", name="Downloads of Asked")
    expect(files.get_by_role("link", name="uncertainty.csv")).to_be_visible()
    chair.get_by_role("link", name="Open Asked").click()
    accept(chair, "15")
    expect(chair.get_by_role("columnheader", name="In?")).to_be_visible()
    expect(chair.get_by_role("button", name=re.compile("^too close to call"))).to_be_visible()
    chair.get_by_role("button", name="Export", exact=True).click()
    with chair.expect_download() as download:
        chair.get_by_role("button", name="Papers as CSV").click()
    sheet = pl.read_csv(download.value.path())
    assert abs(sheet["p_accept"].sum() - 15) < 1e-9
    chair.get_by_role("link", name="Overview").click()
    expect(chair.get_by_role("heading", name="How sure")).to_be_visible()
    expect(chair.get_by_text(re.compile("^One reviewer alone could take"))).to_be_visible()
    accessible(chair)
