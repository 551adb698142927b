"""A chair collects rankings: from a table to links, answers, and a run on them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.ballots import add, collect, open_ballot
from tests.e2e.browsing import Watched, accessible
from tests.e2e.steps import new_conference, origin, run_to_the_end, table_of

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


def test_from_a_table_to_a_run(chair: Page, watched: Watched, tmp_path: Path) -> None:
    table = tmp_path / "reviews.csv"
    table.write_text(REVIEWS)
    new_conference(chair, "Ranking Days")
    chair.get_by_role("link", name="Ballots").click()
    chair.get_by_role("button", name="New collection").click()
    chair.get_by_label("Instructions for reviewers").fill("Best first, please.")
    chair.get_by_label("Add a file").set_input_files(table)
    chair.get_by_label("Title, as reviewers see it").fill("Typed while the file is on its way")
    expect(chair.get_by_text("2 ballots, with 3 of 3 papers each, and the scores")).to_be_visible()
    expect(chair.get_by_text("No ballot for 1 reviewer with only one paper: Cyd.")).to_be_visible()
    accessible(chair)
    title = chair.get_by_label("Title, as reviewers see it")
    expect(title).to_have_value("Typed while the file is on its way")
    title.fill("")
    make = chair.get_by_role("button", name="Make 2 ballots")
    make.click()
    expect(chair.get_by_text("Enter a title")).to_be_visible()
    title.fill("Rank your papers")
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
        expect(page.get_by_text("Best first, please.")).to_be_visible()
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
    use = chair.get_by_role("button", name="Use in a run")
    use.click()
    expect(chair.get_by_text("2 ballots became")).to_be_visible()
    accessible(chair)
    use.click()  # again: the new run takes the newer of the two
    expect(
        chair.get_by_text("1 file that this collection became before is not used")
    ).to_be_visible()
    chair.get_by_role("link", name="Go to the new run").click()
    rankings = chair.get_by_role("checkbox", name="Use rankings, Rank your papers.csv")
    expect(rankings).to_have_count(2)
    expect(rankings.first).not_to_be_checked()
    expect(rankings.last).to_be_checked()
    chair.get_by_role("checkbox", name=f"Use {table.name}").check()  # it was added for ballots
    run = run_to_the_end(chair, "With rankings")
    papers = table_of(chair, run, "papers.csv").sort("dequantized_mean", descending=True)
    assert papers["paper"].to_list() == [2, 1, 3]


def test_reminders_a_new_deadline_downloads_and_deleting(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    chair.goto(f"{origin(chair)}/c/{collecting.conference}/ballots/{collecting.id}")
    expect(chair.get_by_role("button", name="All have links")).to_be_disabled()
    chair.get_by_role("button", name="Reminders for 1 reviewer").click()
    reminder = chair.get_by_role("dialog", name="Link for Ada")
    link = reminder.get_by_label("Link").input_value()
    assert link != collecting.link
    reminder.get_by_role("button", name="Close", exact=True).click()
    reminder.get_by_role("button", name="Close without it").click()
    for one in (collecting.link, link):  # a reminder leaves the first link open
        page = open_ballot(watched(allow="401"), one)  # for the end, when the collection is gone
    add(page, "41", "12")
    page.get_by_role("button", name="Change a score").click()
    page.get_by_label("41 should have").select_option("7")
    page.get_by_role("button", name="Change it").click()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("41 would get 7 instead of 4")).to_be_visible()
    code = collecting.ballot()["versions"][-1]["receipt"]
    expect(page.get_by_text(code).first).to_be_visible()
    chair.reload()
    chair.get_by_role("button", name="Open the ballot of Ada").click()
    shown = chair.get_by_role("dialog", name="Ballot of Ada")
    expect(shown.get_by_text(code)).to_be_visible()
    expect(shown.get_by_text("41 would get 7 instead of 4")).to_be_visible()
    shown.get_by_role("button", name="Close", exact=True).click()

    def downloaded(name: str) -> list[str]:
        chair.get_by_label("Format").select_option(label=name)
        with chair.expect_download() as download:
            chair.get_by_role("button", name="Download").click()
        return download.value.path().read_text().splitlines()

    assert downloaded("Ranks (CSV)") == ["reviewer,paper,rank", "Ada,41,1", "Ada,12,2"]
    assert downloaded("Changed scores (CSV)")[1] == "Ada,ada@example.org,41,Title 41,4,7"
    chair.get_by_role("button", name="Change", exact=True).click()
    change = chair.get_by_role("dialog", name="Change the collection")
    change.get_by_label("Deadline").fill("2020-01-01T12:00")
    expect(change.get_by_text("It has passed: nothing can be saved any more.")).to_be_visible()
    accessible(chair)
    change.get_by_role("button", name="Save").click()
    expect(chair.get_by_text("Deadline passed")).to_be_visible()
    expect(chair.get_by_text("with their links reviewers can only read")).to_be_visible()
    page.reload()
    expect(page.get_by_text("The deadline passed on")).to_be_visible()
    chair.get_by_role("button", name="Change", exact=True).click()
    change.get_by_label("Deadline").fill("2999-01-01T12:00")
    change.get_by_role("button", name="Save").click()
    expect(chair.get_by_role("button", name="Close now")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Change my ballot")).to_be_visible()
    chair.get_by_role("button", name="Delete").click()
    chair.get_by_role("button", name="Delete for good").click()
    expect(chair.get_by_text("No collection yet.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("your link no longer works")).to_be_visible()
