"""A ballot on bad networks, in two tabs, past its deadline; and its questions about contradictions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, Page, expect

from tests.e2e.ballots import (
    Collecting,
    add,
    collect,
    expect_order,
    expect_saved,
    hand_in_unanswered,
    open_ballot,
    placed,
)
from tests.e2e.browsing import Watched, accessible

NO_NETWORK = "ERR_INTERNET_DISCONNECTED"


def groups(collecting: Collecting) -> list[list[str]]:
    """The order that was saved last."""
    return [list(group) for group in collecting.content()["groups"]]


def question(page: Page, text: str) -> Locator:
    return page.get_by_role("group", name=text)


def test_a_contradiction_is_a_question_in_place(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    page = open_ballot(watched(), collecting.link)
    add(page, "41", "12", "30", "7")
    asked = question(page, "You put 41 above 12, 30 and 7 but gave it 4 and those 7 and 6.")
    accessible(page)
    asked.get_by_role("button", name="Keep the order").click()
    expect(page.get_by_text("Your answer: the order stands.")).to_be_visible()
    expect_saved(page)
    pairs = [(one["above"], one["below"]) for one in collecting.content()["answers"]]
    assert pairs == [("41", "12"), ("41", "30"), ("41", "7")]
    assert {one["answer"] for one in collecting.ballot()["contradictions"]} == {"order"}
    page.get_by_role("button", name="Change the answer.").click()
    asked.get_by_role("button", name="Change a score").click()
    accessible(page)
    asked.get_by_label("41 should have").select_option("7")
    asked.get_by_role("button", name="Change it").click()
    expect(page.locator(":focus")).to_have_attribute("id", "move-41")
    expect(page.get_by_text("You gave 4, you would give 7")).to_be_visible()
    expect(asked).to_have_count(0)
    expect_saved(page)
    assert collecting.content()["scores"] == {"41": 7}
    assert collecting.content()["answers"] == []
    page.get_by_role("button", name="Undo the change of the score of 41").click()
    asked.get_by_role("button", name="Not sure").click()
    expect_saved(page)
    assert {one["answer"] for one in collecting.content()["answers"]} == {"unsure"}
    # Answering is never forced, but an open question is asked about.
    page.get_by_role("button", name="Change the answer.").click()
    hand_in_unanswered(page)
    expect(page.get_by_text("Your ballot is in")).to_be_visible()


def test_offline_and_back(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    context = watched(allow=NO_NETWORK)
    page = open_ballot(context, collecting.link)
    add(page, "12")
    expect_saved(page)
    context.set_offline(True)
    add(page, "30")
    expect(page.get_by_text("Not saved yet: no connection.")).to_be_visible()
    expect(page.get_by_text("Kept on this device, sent when you are back.")).to_be_visible()
    add(page, "7")
    assert groups(collecting) == [["12"]]
    context.set_offline(False)
    expect_saved(page)
    assert groups(collecting) == [["12"], ["30"], ["7"]]
    # Closed while offline: the next page that opens sends what was left.
    context.set_offline(True)
    add(page, "41")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.close()
    context.set_offline(False)
    page = open_ballot(context, collecting.link)
    expect_order(page, "1 12", "2 30", "3 7", "4 41")
    expect_saved(page)
    assert groups(collecting) == [["12"], ["30"], ["7"], ["41"]]
    assert page.evaluate("localStorage.length") == 0


def test_two_tabs_do_not_overwrite_each_other(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    context = watched(allow="409")
    one = open_ballot(context, collecting.link)
    two = open_ballot(context, collecting.link)
    expect(placed(two)).to_have_count(0)
    expect(two.get_by_role("button", name="Add next: 30,")).to_be_visible()
    add(one, "12")
    expect_saved(one)
    add(two, "30")
    asked = two.get_by_role("dialog", name="Your ballot was changed elsewhere")
    expect(asked.get_by_role("region", name="On this page")).to_contain_text("Title 30")
    expect(asked.get_by_role("region", name="Saved elsewhere")).to_contain_text("Title 12")
    accessible(two)
    assert groups(collecting) == [["12"]]
    two.keyboard.press("Escape")  # later
    expect(two.get_by_text("Not saved yet: changed elsewhere")).to_be_visible()
    two.get_by_role("button", name="Choose a version").click()
    asked.get_by_role("button", name="Take that one").click()
    expect_order(two, "1 12")
    add(two, "7")
    expect_saved(two)
    assert groups(collecting) == [["12"], ["7"]]
    add(one, "41")
    asked = one.get_by_role("dialog", name="Your ballot was changed elsewhere")
    asked.get_by_role("button", name="Keep this one").click()
    expect_saved(one)
    assert groups(collecting) == [["12"], ["41"]]
    orders = [version["content"]["groups"] for version in collecting.ballot()["versions"]]
    assert orders == [[["12"]], [["12"], ["7"]], [["12"], ["41"]]]


def test_the_deadline_passes_while_the_page_is_open(chair: Page, watched: Watched) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    collecting = collect(chair, deadline=soon.isoformat())
    context = watched(allow="423")
    page = context.new_page()
    page.clock.install()
    page.goto(collecting.link)
    expect(page.get_by_text("Open until")).to_contain_text("minutes left")
    add(page, "12")
    page.clock.run_for(2_000)
    expect_saved(page)
    collecting.change(deadline=(datetime.now(UTC) - timedelta(seconds=1)).isoformat())
    page.clock.fast_forward("01:00:02")
    expect(page.get_by_text("The deadline passed on")).to_be_visible()
    expect(page.get_by_role("heading", name="What you saved last")).to_be_visible()
    expect(page.get_by_text("12 Title 12")).to_be_visible()
    expect(page.get_by_role("button", name="Hand in")).to_have_count(0)
    accessible(page)
    # Closed by the chairs under a page that has not heard of it.
    collecting.change(state="open", deadline=None)
    other = open_ballot(context, collecting.link)
    expect_order(other, "1 12")
    collecting.change(state="closed")
    add(other, "30")
    expect(other.get_by_role("alert")).to_contain_text("came too late and was not saved")
    expect(other.get_by_text("30 Title 30")).to_have_count(0)
    assert groups(collecting) == [["12"]]


def test_pairs_one_question_at_a_time(chair: Page, watched: Watched) -> None:
    collecting = collect(chair, {"2": 5, "1": 3, "3": 2}, options={"mode": "pairs"})
    page = open_ballot(watched(), collecting.link)
    expect(page.get_by_role("heading", name="Which one is better?")).to_be_visible()
    expect(page.get_by_text("0 answered, at most 3 left")).to_be_visible()
    accessible(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("1 answered")).to_be_visible()
    asked = page.get_by_role("group", name="You put 1 above 2 but gave them 3 and 5.")
    asked.get_by_role("button", name="I mean both").click()
    expect(page.get_by_text("Your answer: both are meant.")).to_be_visible()
    page.get_by_role("button", name="About the same").click()
    expect(page.get_by_text("2 answered")).to_be_visible()
    page.get_by_role("button", name="Take the last answer back").click()
    expect(page.get_by_text("1 answered, at most 2 left")).to_be_visible()
    page.get_by_role("button", name="Cannot say").click()
    expect(page.get_by_text("2 answered")).to_be_visible()
    page.get_by_role("button", name="hand in").click()
    expect(page.get_by_text("Your ballot is in")).to_be_visible()
    expect(page.get_by_text("1 Title 1")).to_be_visible()
    accessible(page)
    outcomes = [one["outcome"] for one in collecting.content()["comparisons"]]
    assert outcomes == ["first", "skip"]
