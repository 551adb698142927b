"""Every page, light and dark, wide and narrow: no violation of the accessibility rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console.hosting import UnroundServer
from tests.e2e.browsing import ROOT, Watched, accessible_in_light_and_dark, entered
from tests.e2e.steps import api, demo_conference

pytestmark = pytest.mark.demo

PAGES = {
    "conferences": "/",
    "import": "/c/{conference}",
    "runs": "/c/{conference}/runs",
    "compare": "/c/{conference}/compare?runs={runs}",
    "ballots": "/c/{conference}/ballots",
    "collection": "/c/{conference}/ballots/{collection}",
    "access": "/c/{conference}/access",
    "papers": "/r/{run}",
    "line": "/r/{run}?accept=15",
    "rankings": "/r/{run}?columns=place.was.paper.title.scores.rankings.mean&mode=given",
    "paper": "/r/{run}/paper/7",
    "overview": "/r/{run}/overview",
    "area chair's papers": "/r/{run}?as={area_chair}",
    "area chair's paper": "/r/{run}/paper/{own}?as={area_chair}",
    "server": "/server",
    "entrance": "/enter",
    "missing": "/no/such/page",
}
# The reviewer's ballot is looked at in test_ballot_moves.


def test_every_page_is_looked_at() -> None:
    """The console's own list of pages and kinds of addresses is in the list above."""
    source = (ROOT / "web/src/console.tsx").read_text("utf-8")
    pages = {
        f"/c/{{conference}}/{path}".rstrip("/") for path in re.findall(r'{ path: "(\w*)"', source)
    }
    kinds = {f"/{kind}" for kind in re.findall(r'(?:kind|path\[0\]) [!=]== "(\w+)"', source)}
    assert len(pages) >= 5
    looked_at = {address.partition("?")[0] for address in PAGES.values()}
    assert pages <= looked_at
    assert kinds - {"/ballot"} <= {"/" + address.split("/")[1] for address in looked_at}


@pytest.mark.parametrize("width", [1440, 390])
def test_no_violation(server: UnroundServer, watched: Watched, width: int) -> None:
    context = watched(viewport={"width": width, "height": 900})
    page = entered(context.new_page(), server.link)
    conference = demo_conference(page)
    runs = [run["id"] for run in api(page, f"conferences/{conference}").json()["runs"]]
    people = api(page, f"conferences/{conference}/access").json()["area_chairs"]
    area_chair = people[0]["id"]
    own = api(page, f"runs/{runs[0]}/view?as={area_chair}").json()["papers"]["paper"][0]
    collection = api(page, f"conferences/{conference}/collections").json()[0]["id"]
    for address in PAGES.values():
        known = {
            **{"conference": conference, "run": runs[0], "runs": ",".join(runs)},
            **{"area_chair": area_chair, "own": own, "collection": collection},
        }
        page.goto(server.url + address.format(**known))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Loading")).to_have_count(0)
        accessible_in_light_and_dark(page)


def test_the_theme_can_be_chosen_and_stays(server: UnroundServer, watched: Watched) -> None:
    page = entered(watched(color_scheme="light").new_page(), server.link)
    page.get_by_role("button", name="Account").click()
    page.get_by_text("Dark", exact=True).click()
    page.reload()
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
