"""Ballots for the tests in a browser: collections made through the API, and what pages say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.browsing import accessible, entered
from tests.e2e.steps import api, origin

CHANGES = {"X-Unround": "1"}
# Papers with the reviewer's own scores.
SCORES = {"12": 7, "30": 6, "7": 6, "41": 4, "9": 4}


@dataclass(frozen=True)
class Collecting:
    """A collection with one ballot, as its chair holds it."""

    chair: Page
    conference: str
    id: str
    link: str  # the reviewer's

    def ballot(self) -> dict[str, Any]:
        """What is saved, with all versions."""
        (line,) = api(self.chair, f"collections/{self.id}").json()["ballots"]
        return dict(api(self.chair, f"collections/{self.id}/ballots/{line['id']}").json())

    def content(self) -> dict[str, Any]:
        """What was saved last."""
        return dict(self.ballot()["versions"][-1]["content"])

    def change(self, **changes: Any) -> None:
        """Change the collection, as the page of the chair does."""
        path = f"{origin(self.chair)}/api/collections/{self.id}"
        answer = self.chair.request.patch(path, data=changes, headers=CHANGES)
        assert answer.ok, answer.text()


def send(page: Page, path: str, body: Any) -> Any:
    """Post to the API as this page's owner."""
    answer = page.request.post(f"{origin(page)}/api/{path}", data=body, headers=CHANGES)
    assert answer.ok, answer.text()
    return answer.json()


def collect(chair: Page, scores: dict[str, int] | None = None, **settings: Any) -> Collecting:
    """Make a conference with a collection of one ballot, and the reviewer's link."""
    conference = send(chair, "conferences", {"name": "Testing Days"})["id"]
    rows = [
        f"Ada,ada@example.org,{paper},Title {paper},{score}"
        for paper, score in (scores or SCORES).items()
    ]
    table = "\n".join(["reviewer,reviewer_email,paper,title,score", *rows])
    file = send(chair, f"conferences/{conference}/files?name=papers.csv&for_ballots=true", table)[
        "id"
    ]
    wanted = {"title": "Rank your papers", "source": {"files": [file]}}
    made = send(chair, f"conferences/{conference}/collections", {**wanted, **settings})
    (link,) = send(chair, f"collections/{made['id']}/links", {"only": "all"})["links"]
    return Collecting(chair, conference, made["id"], link["url"])


def open_ballot(context: BrowserContext, link: str) -> Page:
    """The reviewer's page."""
    return entered(context.new_page(), link)


def placed(page: Page) -> Locator:
    """The rows of the order, best first."""
    return page.locator("[data-zone=placed] [data-paper]")


def add(page: Page, *papers: str) -> None:
    """Put papers at the end of the order."""
    for paper in papers:
        page.get_by_role("button", name=f"Add next: {paper},").click()


def expect_order(page: Page, *places: str) -> None:
    """Papers and places as the page shows them: "1 12", "2= 30"."""
    shown = [re.compile(rf"^Place {place.replace(' ', '')} Title") for place in places]
    expect(placed(page)).to_have_text(shown)


def expect_saved(page: Page) -> None:
    """Nothing is left to send."""
    expect(page.get_by_text("Saving…")).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()


def hand_in_unanswered(page: Page) -> None:
    """Hand in a ballot that has a contradiction without an answer: the page asks first."""
    page.get_by_role("button", name="Hand in", exact=True).click()
    asked = page.get_by_role("dialog", name="One question is open")
    accessible(page)
    asked.get_by_role("button", name="Back to the questions").click()
    expect(asked).to_have_count(0)
    page.get_by_role("button", name="Hand in", exact=True).click()
    asked.get_by_role("button", name="Hand in without answers").click()


def handle(page: Page, paper: str) -> Locator:
    """What a paper is dragged by."""
    return page.locator(f"[data-paper='{paper}']").get_by_role("button", name="Move")


def expect_announced(page: Page, text: str | re.Pattern[str]) -> None:
    """Wait for words in the assertive live region. A role finds only what the accessibility tree has."""
    region = page.get_by_role("status").and_(page.locator("[aria-live=assertive]"))
    expect(region).to_have_text(text)
