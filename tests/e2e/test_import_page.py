"""Files in, what is wrong with them, and a run, by the pages alone."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from playwright.sync_api import Page, expect

from tests.e2e.browsing import accessible
from tests.e2e.steps import add_files, api, new_conference, run_to_the_end, table_of


def test_refused_files_are_mended_by_mapping_columns_and_choosing_a_policy(
    chair: Page, tmp_path: Path
) -> None:
    reviews = tmp_path / "odd.csv"
    reviews.write_text("who,submission,mark\nann,1,3\nann,2,5\nbob,1,4\nbob,2,4\nbob,3,2\n")
    rankings = tmp_path / "rankings.csv"
    rankings.write_text("reviewer,paper,rank\nann,1,1\nann,2,2\nbob,1,1\nbob,2,2\n")
    new_conference(chair, "Contradictions")
    add_files(chair, [reviews, rankings])
    start = chair.get_by_role("button", name="Run", exact=True)
    expect(start).to_be_disabled()
    expect(chair.get_by_role("alert").first).to_contain_text("odd.csv")
    for ours, theirs in (("Reviewer", "who"), ("Paper", "submission"), ("Score", "mark")):
        field = chair.get_by_role("combobox", name=ours, exact=True)
        field.fill(theirs)
        field.press("Enter")
    issues = chair.get_by_role("region", name="Issues", exact=True)
    expect(issues).to_contain_text("against their own scores")
    expect(issues).to_contain_text("odd.csv, line")
    expect(start).to_be_disabled()
    accessible(chair)
    with chair.expect_download() as download:
        issues.get_by_role("link", name="Download all as CSV").click()
    listed = pl.read_csv(download.value.path())
    assert listed["kind"].to_list() == ["contradiction"]
    chair.get_by_role("radio", name="Trust the scores").check()
    chair.get_by_text("Method (defaults are right").click()
    chair.get_by_role("radio", name="Number").check(force=True)
    chair.get_by_label("λ", exact=True).fill("0.5")
    run = run_to_the_end(chair, "Trust the scores")
    scores = table_of(chair, run, "scores.csv")
    assert scores.filter(reviewer="ann", paper=2)["dequantized"].item() > 4.4
    record = api(chair, f"runs/{run}/files/run.json").json()
    assert [issue["kind"] for issue in record["issues"]] == ["contradiction"]
    assert float(record["lam"]) == 0.5
