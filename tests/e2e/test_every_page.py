"""Every page, light and dark, wide and narrow: no violation of the accessibility rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.browsing import Server, accessible, entered
from tests.e2e.steps import api

PAGES = {
    "conferences": "/",
    "import": "/c/{conference}",
    "runs": "/c/{conference}/runs",
    "compare": "/c/{conference}/compare?runs={runs}",
    "ballots": "/c/{conference}/ballots",
    "access": "/c/{conference}/access",
    "papers": "/r/{run}",
    "rankings": "/r/{run}?mode=given",
    "percentiles": "/r/{run}?mode=percentile",
    "paper": "/r/{run}/paper/7",
    "overview": "/r/{run}/overview",
    "missing": "/no/such/page",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_no_violation(
    demo: Server, watched: Callable[..., BrowserContext], scheme: str, width: int
) -> None:
    context = watched(color_scheme=scheme, viewport={"width": width, "height": 900})
    page = entered(context.new_page(), demo.link)
    conference = api(page, "conferences").json()[0]["id"]
    runs = [run["id"] for run in api(page, f"conferences/{conference}").json()["runs"]]
    for name, address in PAGES.items():
        known = {"conference": conference, "run": runs[0], "runs": ",".join(runs)}
        page.goto(demo.url + address.format(**known))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Loading")).to_have_count(0)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(ground.split("(")[1].split(",")[0]) < 60) == (scheme == "dark"), name
        accessible(page)


def test_the_theme_can_be_chosen_and_stays(
    demo: Server, watched: Callable[..., BrowserContext]
) -> None:
    page = entered(watched(color_scheme="light").new_page(), demo.link)
    page.get_by_role("radio", name="Dark").check(force=True)
    page.reload()
    expect(page.get_by_role("radio", name="Dark")).to_be_checked()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
