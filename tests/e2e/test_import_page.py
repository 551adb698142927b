"""Files in, what is wrong with them, and a run: every format, by the pages alone."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browsing import ROOT, accessible, simulated
from tests.e2e.steps import add_files, api, new_conference, ready_to_run, run_to_the_end, table_of

PAPERS = 24


@pytest.mark.parametrize("system", ["hotcrp", "openreview", "cmt", "easychair"])
def test_every_system_is_recognised(chair: Page, system: str) -> None:
    new_conference(chair, f"From {system}")
    add_files(chair, sorted((ROOT / "examples" / system).iterdir()))
    ready_to_run(chair)
    found = chair.get_by_role("region", name="What was found")
    expect(found).to_contain_text("12")
    expect(found).to_contain_text("48")


def test_a_workbook_and_peerread_are_read_too(chair: Page, tmp_path: Path) -> None:
    table, rankings = simulated(tmp_path, papers=PAPERS, seed=6)[::-1]
    workbook = tmp_path / "reviews.xlsx"
    pl.read_csv(table).write_excel(workbook)
    new_conference(chair, "From a workbook")
    add_files(chair, [workbook, rankings])
    run = run_to_the_end(chair, "Workbook")
    assert table_of(chair, run, "papers.csv").height == PAPERS
    assert table_of(chair, run, "scores.csv").height == 4 * PAPERS
    with zipfile.ZipFile(tmp_path / "venue.zip", "w") as archive:
        for number in range(3):
            reviews = [
                {"RECOMMENDATION": str(score), "comments": f"{score}"} for score in (3, 4 + number)
            ]
            paper = {"id": str(number), "title": "T", "reviews": reviews}
            archive.writestr(f"venue/train/reviews/{number}.json", json.dumps(paper))
    new_conference(chair, "From PeerRead")
    add_files(chair, [tmp_path / "venue.zip"])
    ready_to_run(chair)
    expect(chair.get_by_role("region", name="What was found")).to_contain_text("PeerRead")


def test_columns_with_other_names_can_be_mapped(chair: Page, tmp_path: Path) -> None:
    odd = tmp_path / "odd.csv"
    odd.write_text(
        "who,submission,mark\n" + "".join(f"r{i % 4},{i // 2},{i % 5}\n" for i in range(20))
    )
    new_conference(chair, "Odd columns")
    add_files(chair, [odd])
    expect(chair.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    expect(chair.get_by_role("alert").first).to_contain_text("odd.csv")
    for ours, theirs in (("Reviewer", "who"), ("Paper", "submission"), ("Score", "mark")):
        field = chair.get_by_role("combobox", name=ours, exact=True)
        field.fill(theirs)
        field.press("Enter")
    run_to_the_end(chair, "Mapped")
    accessible(chair)


def test_a_refused_file_is_mended_by_choosing_a_policy(chair: Page, tmp_path: Path) -> None:
    reviews = tmp_path / "reviews.csv"
    reviews.write_text("reviewer,paper,score\nann,1,3\nann,2,5\nbob,1,4\nbob,2,4\nbob,3,2\n")
    rankings = tmp_path / "rankings.csv"
    rankings.write_text("reviewer,paper,rank\nann,1,1\nann,2,2\nbob,1,1\nbob,2,2\n")
    new_conference(chair, "Contradictions")
    add_files(chair, [reviews, rankings])
    issues = chair.get_by_role("region", name="Issues", exact=True)
    expect(issues).to_contain_text("against their own scores")
    expect(issues).to_contain_text("reviews.csv, line")
    expect(chair.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    accessible(chair)
    with chair.expect_download() as download:
        issues.get_by_role("link", name="Download all as CSV").click()
    listed = pl.read_csv(download.value.path())
    assert listed["kind"].to_list() == ["contradiction"]
    assert "ann" in listed["reviewer"].to_list()
    chair.get_by_role("radio", name="Trust the scores").check()
    run = run_to_the_end(chair, "Trust the scores")
    scores = table_of(chair, run, "scores.csv")
    assert scores.filter(reviewer="ann", paper=2)["dequantized"].item() > 4.4
    record = api(chair, f"runs/{run}/files/run.json").json()
    # Five reviews decide no λ.
    assert [issue["kind"] for issue in record["issues"]] == ["contradiction", "undecided-lambda"]
