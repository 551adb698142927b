"""A chair collects rankings: from a table to links, answers, and a run on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.ballots import open_ballot
from tests.e2e.browsing import accessible
from tests.e2e.steps import new_conference, run_to_the_end, table_of

# Two papers on which all agree but for their order within a level.
REVIEWS = """reviewer,email,paper,title,score
Ada,ada@example.org,1,One,4
Ada,ada@example.org,2,Two,4
Ada,ada@example.org,3,Three,2
Bob,bob@example.org,1,One,4
Bob,bob@example.org,2,Two,4
Bob,bob@example.org,3,Three,3
Cyd,,3,Three,1
"""


def test_from_a_table_to_a_run(
    chair: Page, watched: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    table = tmp_path / "reviews.csv"
    table.write_text(REVIEWS)
    new_conference(chair, "Ranking Days")
    chair.get_by_role("link", name="Ballots").click()
    chair.get_by_role("button", name="New collection").click()
    chair.get_by_label("Add a file").set_input_files(table)
    expect(chair.get_by_text("2 ballots, with 3 of 3 papers each, and the scores")).to_be_visible()
    expect(chair.get_by_text("No ballot for 1 reviewer with only one paper: Cyd.")).to_be_visible()
    accessible(chair)
    make = chair.get_by_role("button", name="Make 2 ballots")
    make.click()
    expect(chair.get_by_text("it must have a title")).to_be_visible()
    chair.get_by_label("Title, as reviewers see it").fill("Rank your papers")
    make.click()
    expect(chair.get_by_role("heading", name="Rank your papers")).to_be_visible()
    accessible(chair)
    chair.get_by_role("button", name="Make links for 2 reviewers").click()
    made = chair.get_by_role("dialog", name="2 links")
    with chair.expect_download() as download:
        made.get_by_role("button", name="Download CSV").click()
    header, *lines = download.value.path().read_text().splitlines()
    assert header == "name,email,link,expires"
    links = [line.split(",")[2] for line in lines]
    accessible(chair)
    made.get_by_role("button", name="Close", exact=True).click()
    for link, order in zip(links, (("2", "1", "3"), ("2", "3", "1")), strict=True):
        page = open_ballot(watched(), link)
        for paper in order:
            page.get_by_role("button", name=f"Add next: {paper},").click()
        if order[1] == "3":
            page.get_by_role("button", name="Go by the scores").click()
        page.get_by_role("button", name="Hand in").click()
        expect(page.get_by_text("Your ballot is in")).to_be_visible()
    chair.reload()
    expect(chair.get_by_text("2 (100%)").last).to_be_visible()
    expect(chair.get_by_text("on 1 ballot: the scores stand 1.")).to_be_visible()
    chair.get_by_role("button", name="Open the ballot of Bob").click()
    shown = chair.get_by_role("dialog", name="Ballot of Bob")
    expect(shown.get_by_text("3 above 1, with 3 and 4: the scores stand")).to_be_visible()
    accessible(chair)
    shown.get_by_role("button", name="Close", exact=True).click()
    chair.get_by_role("button", name="Close now").click()
    expect(chair.get_by_role("button", name="Reopen")).to_be_visible()
    chair.get_by_role("button", name="Use in a run").click()
    expect(chair.get_by_text("2 ballots became")).to_be_visible()
    accessible(chair)
    chair.get_by_role("link", name="Go to the new run").click()
    run = run_to_the_end(chair, "With rankings")
    papers = table_of(chair, run, "papers.csv").sort("dequantized_mean", descending=True)
    assert papers["paper"].to_list() == [2, 1, 3]
