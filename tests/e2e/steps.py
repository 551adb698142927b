"""What people do on the pages, by the names that they see."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from playwright.sync_api import Locator, Page, expect

from unround.console.demo import NAME as DEMO

ID = "[0-9a-f]{32}"
MODES = {"given": "Given scores", "dequantized": "New scores"}
# An address with the columns of all statistics.
STATISTIC_COLUMNS = "columns=place.was.paper.title.track.scores.min.max.mean.median.spread.moved"


def new_conference(page: Page, name: str) -> None:
    """From any page to the import page of a new conference."""
    page.get_by_role("link", name="unround").click()
    page.get_by_role("textbox", name="Name of the conference").fill(name)
    page.get_by_role("button", name="New conference").click()
    expect(page.get_by_role("heading", name="Import", level=1)).to_be_visible()


def add_files(page: Page, files: Sequence[Path]) -> None:
    """Upload files, and wait until all are listed."""
    page.get_by_label("Add files").set_input_files([str(path) for path in files])
    for path in files:
        expect(page.get_by_role("checkbox", name=f"Use {path.name}", exact=True)).to_be_checked()


def ready_to_run(page: Page) -> Locator:
    """The button that starts a run, once the files have been checked and found good."""
    button = page.get_by_role("button", name="Run", exact=True)
    expect(button).to_be_enabled()
    return button


def run_to_the_end(page: Page, name: str) -> str:
    """Start a run under a name, follow it to its results, and return its id."""
    conference = re.search(rf"/c/{ID}", page.url)
    assert conference, page.url
    page.get_by_role("textbox", name="Name of the run").fill(name)
    ready_to_run(page).click()
    page.wait_for_url(re.compile(rf"/r/{ID}"))
    found = re.search(ID, page.url)
    assert found, page.url
    page.goto(f"{origin(page)}{conference.group()}/runs")
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    return found.group()


def api(page: Page, path: str) -> Any:
    """What the server tells this page's owner."""
    answer = page.request.get(f"{origin(page)}/api/{path}")
    assert answer.ok, f"{path}: {answer.status}"
    return answer


def demo_conference(page: Page) -> str:
    """The id of the demo's conference, which tests leave as they find it."""
    (found,) = [one["id"] for one in api(page, "conferences").json() if one["name"] == DEMO]
    return str(found)


def origin(page: Page) -> str:
    """The address of the server."""
    return str(page.evaluate("location.origin"))


def table_of(page: Page, run: str, name: str) -> pl.DataFrame:
    """papers.csv or scores.csv of a run."""
    return pl.read_csv(io.BytesIO(api(page, f"runs/{run}/files/{name}").body()))


def cells_by_paper(page: Page, selector: str) -> dict[int, str]:
    """The text of one cell of every paper, from the first row to the last, by scrolling down."""
    found = page.evaluate(
        """async (selector) => {
            const table = document.querySelector('table[aria-label="Papers"]');
            const frame = table.parentElement;
            const seen = new Map();
            // Two frames; a browser that draws none at the moment must not hold this up for ever.
            const drawn = () => new Promise((done) => {
                requestAnimationFrame(() => requestAnimationFrame(done));
                setTimeout(done, 500);
            });
            frame.scrollTop = 0;
            for (let step = 0; ; step++) {
                await drawn();
                for (const row of table.querySelectorAll('tbody tr[aria-rowindex]')) {
                    const link = row.querySelector('th[scope="row"] a');
                    if (link) seen.set(Number(row.getAttribute('aria-rowindex')),
                                       [link.textContent, row.querySelector(selector).innerText]);
                }
                if (frame.scrollTop + frame.clientHeight >= frame.scrollHeight - 1) break;
                if (step > 500)
                    throw new Error(`does not scroll to its end: ${frame.scrollTop} + `
                        + `${frame.clientHeight} of ${frame.scrollHeight}`);
                frame.scrollTop += 0.8 * frame.clientHeight;
            }
            frame.scrollTop = 0;
            await drawn();
            return [...seen].sort((a, b) => a[0] - b[0]).map(([, cells]) => cells);
        }""",
        selector,
    )
    return {int(paper): text for paper, text in found}


def paper_order(page: Page) -> list[int]:
    """Every paper of the table, from the first row to the last."""
    return list(cells_by_paper(page, "th"))


def own_papers(page: Page) -> list[int]:
    """The papers of an area chair who sees their order alone, best first."""
    table = page.get_by_role("table", name="Papers")
    expect(table).to_be_visible()
    return [int(text) for text in table.get_by_role("rowheader").all_inner_texts()]


def open_menu(page: Page, name: str) -> None:
    """Open a menu, unless it is open."""
    button = page.get_by_role("button", name=name, exact=True)
    if button.get_attribute("aria-expanded") != "true":
        button.click()


def choice(place: Page | Locator, label: str) -> Locator:
    """The button of a menu of choices, which shows what is chosen after its label."""
    return place.get_by_role("button", name=re.compile(f"^{re.escape(label)}"))


def choose(place: Page | Locator, label: str, option: str) -> None:
    """Choose something in such a menu."""
    choice(place, label).click()
    place.get_by_role("menuitemradio", name=option, exact=True).click()


def choose_mode(page: Page, mode: str) -> None:
    """Choose the numbers that columns of statistics show."""
    open_menu(page, "View")
    page.get_by_role("group", name="View").get_by_text(MODES[mode], exact=True).first.click()
    expect(page.get_by_role("radio", name=MODES[mode])).to_be_checked()
    page.keyboard.press("Escape")


def header(page: Page, name: str) -> Locator:
    """The head of a column, with its button inside."""
    return page.get_by_role("table", name="Papers").get_by_role(
        "columnheader", name=name, exact=True
    )


def sort_by(page: Page, name: str, direction: str, *, also: bool = False) -> None:
    """Click a column until it is sorted that way."""
    head = header(page, name)
    for _ in range(3):
        if head.get_attribute("aria-sort") == direction:
            return
        head.get_by_role("button").click(modifiers=["Shift"] if also else [])
    expect(head).to_have_attribute("aria-sort", direction)
