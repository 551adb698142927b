"""Runs: progress, cancelling, a closed tab, and what moved between two of them."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import Server, accessible, entered, simulated
from tests.e2e.steps import (
    add_files,
    demo_conference,
    new_conference,
    origin,
    ready_to_run,
    run_to_the_end,
    table_of,
)

LARGE = 60_000  # papers: long enough to be looked at while it runs


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return simulated(tmp_path_factory.mktemp("large"), papers=LARGE, seed=7)


def test_a_long_run_shows_progress_survives_a_closed_tab_and_can_be_cancelled(
    chair: Page, server: Server, large: list[Path]
) -> None:
    new_conference(chair, "Large")
    add_files(chair, large)
    button = chair.get_by_role("button", name="Run", exact=True)
    expect(button).to_be_enabled()
    chair.get_by_role("textbox", name="Name of the run").fill("To cancel")
    button.click()
    expect(chair.get_by_role("progressbar", name="Progress of To cancel")).to_be_visible()
    address, context = chair.url, chair.context
    chair.close()
    again = context.new_page()
    again.goto(address)
    expect(again.get_by_role("progressbar", name="Progress of To cancel")).to_be_visible()
    again.get_by_role("button", name="Cancel run").click()
    row = again.get_by_role("row").filter(has_text="To cancel").first
    expect(row.get_by_text("Cancelled", exact=True)).to_be_visible()
    expect(again.get_by_role("link", name="Open To cancel")).to_have_count(0)


def test_two_runs_side_by_side(chair: Page, tmp_path: Path) -> None:
    new_conference(chair, "Compared")
    add_files(chair, simulated(tmp_path, papers=30, seed=8))
    first = run_to_the_end(chair, "Validated")
    chair.get_by_role("link", name="New run", exact=True).click()
    ready_to_run(chair)
    chair.get_by_text("Method (defaults are right").click()
    chair.get_by_role("radio", name="Number").check(force=True)
    chair.get_by_label("λ", exact=True).fill("0.5")
    second = run_to_the_end(chair, "Strong pull")
    for name in ("Validated", "Strong pull"):
        chair.get_by_role("checkbox", name=f"Compare {name}").check()
    chair.get_by_role("link", name="Compare 2 runs").click()
    expect(chair.get_by_role("heading", name="Compare runs")).to_be_visible()
    accessible(chair)
    place = pl.col("dequantized_mean").rank("min", descending=True).cast(int)
    before, after = (
        table_of(chair, run, "papers.csv").select("paper", place=place) for run in (first, second)
    )
    moved = before.join(after, on="paper", suffix="_after").with_columns(
        by=pl.col("place") - pl.col("place_after")
    )
    rows = chair.get_by_role("table", name="Papers side by side").get_by_role("row")
    expect(rows).to_have_count(1 + moved.height)
    size = dict(zip(moved["paper"], moved["by"].abs(), strict=True))
    shown = [size[int(paper)] for paper in rows.get_by_role("rowheader").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)


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
    with chair.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert Path(download.value.path()).read_text("utf-8").startswith("paper,action,tag")
    accessible(chair)


def test_entering_takes_the_secret_out_of_the_address(server: Server, chair: Page) -> None:
    secret = server.link.partition("#")[2]
    assert secret not in chair.url
    assert secret not in chair.content()
    chair.get_by_role("button", name="Account").click()
    chair.get_by_role("button", name="Leave").click()
    expect(chair.get_by_role("textbox")).to_be_visible()
    entered(chair, server.link)
