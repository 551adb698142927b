"""The page as one file, opened from disk with the network off."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.browsing import Watched, accessible, simulated, unround
from tests.e2e.steps import STATISTIC_COLUMNS, choose_mode, own_papers, paper_order, sort_by

MOST_BYTES = 300_000  # of an area chair's page: large conferences send hundreds of them


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and a page for each of its area chairs."""
    made = tmp_path_factory.mktemp("report")
    rankings, reviews = simulated(made, papers=36, seed=3)
    unround("run", reviews, "--rankings", rankings, "-o", made / "run")
    unround("report", made / "run", "--all-area-chairs", "-o", made / "pages")
    return made


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


def test_the_chairs_page_sorts_like_papers_csv(watched: Watched, folder: Path) -> None:
    page = opened(watched(), folder / "run" / "report.html")
    accessible(page)
    page.goto(f"{(folder / 'run' / 'report.html').as_uri()}#/?{STATISTIC_COLUMNS}")
    table = pl.read_csv(folder / "run" / "papers.csv")
    for mode, name in (("given", "score"), ("dequantized", "dequantized")):
        choose_mode(page, mode)
        # test_papers_page takes all statistics, of the same table
        for statistic, column in (("Mean", "mean"), ("Range (max − min)", "spread")):
            sort_by(page, statistic, "descending")
            right = table.sort([f"{name}_{column}", "paper"], descending=[True, False])
            assert paper_order(page) == right["paper"].to_list()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    accessible(page)


def test_an_area_chairs_page_has_their_papers(watched: Watched, folder: Path) -> None:
    index = pl.read_csv(folder / "pages" / "index.csv")
    assert index.height == 3
    page = opened(watched(), folder / "pages" / index["file"][1])
    assert (folder / "pages" / index["file"][1]).stat().st_size < MOST_BYTES
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
