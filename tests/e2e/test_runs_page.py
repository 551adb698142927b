"""Runs: progress, cancelling, a closed tab, and downloads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import accessible, simulated
from tests.e2e.steps import add_files, demo_conference, new_conference, origin, ready_to_run

pytestmark = pytest.mark.demo

LARGE = 60_000  # papers: long enough to be looked at while it runs


def test_a_long_run_shows_progress_survives_a_closed_tab_and_can_be_cancelled(
    chair: Page, tmp_path: Path
) -> None:
    new_conference(chair, "Large")
    add_files(chair, simulated(tmp_path, papers=LARGE, seed=7))
    chair.get_by_role("textbox", name="Name of the run").fill("To cancel")
    ready_to_run(chair).click()
    expect(chair.get_by_role("progressbar", name="Progress of To cancel")).to_be_visible()
    address, context = chair.url, chair.context
    chair.close()
    again = context.new_page()
    again.goto(address)
    expect(again.get_by_role("progressbar", name="Progress of To cancel")).to_be_visible()
    again.get_by_role("button", name="Cancel run").click()
    row = again.get_by_role("row").filter(has_text="To cancel").first
    expect(row.get_by_text("Cancelled", exact=True)).to_be_visible()
    expect(again.get_by_role("link", name="To cancel", exact=True)).to_have_count(0)


def test_a_finished_run_gives_its_files(chair: Page) -> None:
    chair.goto(f"{origin(chair)}/c/{demo_conference(chair)}/runs")
    chair.get_by_role("button", name="Details of Trust the scores").click()
    group = chair.get_by_role("group", name="Downloads of Trust the scores")
    for name in ("scores.csv", "papers.csv", "run.json", "report.html"):
        with chair.expect_download() as download:
            group.get_by_role("link", name=name).click()
        assert Path(download.value.path()).stat().st_size > 100
    group.get_by_role("button", name=re.compile("^Export to")).click()
    dialog = chair.get_by_role("dialog", name="Export")
    accessible(chair)
    expect(dialog.get_by_role("button", name="Download")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_role("checkbox", name=re.compile(r"^Decisions \("))).to_be_checked()
    with chair.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert Path(download.value.path()).read_text("utf-8").startswith("paper,action,tag")
    accessible(chair)
