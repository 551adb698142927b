"""Conferences to give to a server, and axe-core to look at its pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from click.testing import CliRunner
from playwright.sync_api import BrowserContext, Page, expect

from unround.cli.group import commands

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")

# Makes browser contexts in which every error fails the test: the fixture `watched`.
Watched = Callable[..., BrowserContext]

expect.set_options(timeout=120_000)


def entered(page: Page, link: str) -> Page:
    """Open a link and wait until the first page is there."""
    page.goto(link)
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    return page


def accessible(page: Page, rules: Sequence[str] = ()) -> None:
    """No violation of WCAG A or AA that axe-core can find, or of some of its rules."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    wanted = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": STANDARDS}
    found = page.evaluate(
        "(runOnly) => axe.run(document, {runOnly, resultTypes: ['violations']})"
        ".then((found) => found.violations)",
        wanted,
    )
    violations = [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in found
    ]
    assert not violations, (page.url, violations)


def accessible_in_light_and_dark(page: Page) -> None:
    """Nothing that axe-core can find in the light scheme, and no bad colour in the dark one.

    Only the style sheet knows of schemes: what is not about colours is the same in both.
    """
    for scheme, rules in (("light", ()), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(ground.split("(")[1].split(",")[0]) < 60) == (scheme == "dark"), scheme
        accessible(page, rules)


def unround(*words: object) -> str:
    """Call a command, which must succeed; return what it printed."""
    done = CliRunner().invoke(commands, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def simulated(folder: Path, **options: object) -> list[Path]:
    """Write the tables of a synthetic conference: rankings.csv and reviews.csv."""
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    unround("simulate", *given, "-o", folder / "tables")
    return sorted((folder / "tables").glob("*.csv"))


def contents(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return files by name, as they are uploaded."""
    return {path.name: path.read_bytes() for path in paths}
