"""Draw the flow of a run and the layers of the package, light and dark, for docs/architecture.md.

    python docs/_tools/architecture_picture.py

The layers are those that import-linter checks, read from pyproject.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from opening_picture import THEMES, Theme, text

DOCS = Path(__file__).parents[1]
WIDTH, ROW, TOP = 1000, 44, 92
# A value of the flow, and what makes the next one of it.
FLOW = (
    ("files of a system, or data frames", "formats, reviews"),
    ("ReviewSet: numbered reviews and statements", "problem"),
    ("Problem: cells, and orders as chains and posets", "selection picks λ, solver or gpu solves"),
    ("scores", "certificate proves their error bound"),
    ("Result", "uncertainty, runs"),
    ("run folder: tables and run.json", "disclosure"),
    ("View: what one viewer may see", "report, console"),
    ("page, for a chair or an area chair", ""),
)


def main() -> None:
    """Write architecture-light.svg and architecture-dark.svg."""
    for name, theme in THEMES.items():
        (DOCS / "_static" / f"architecture-{name}.svg").write_text(picture(theme), "utf-8")


def layers() -> list[list[str]]:
    """Return the layers of the package, highest first, each as the names of its rooms."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))
    contract = project["tool"]["importlinter"]["contracts"][0]
    return [layer.replace("unround.", "").split(" | ") for layer in contract["layers"]]


def picture(theme: Theme) -> str:
    """Return the whole SVG: the flow on the left, the layers on the right."""
    rows = layers()
    height = TOP + ROW * len(rows) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">',
        "<title>The flow of a run from files to pages, and the layers of the package.</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{theme.paper}"/>',
        text(24, 40, "A run, from files to pages", theme.ink, 21, weight=600),
        text(
            24, 66, "values in boxes, the rooms that make them beside the arrows", theme.quiet, 15
        ),
        *flow(ROW * (len(rows) - 1) / (len(FLOW) - 1), theme),
        text(540, 40, "The layers", theme.ink, 21, weight=600),
        text(540, 66, "a room imports only from rooms further down", theme.quiet, 15),
        *stack(rows, theme),
        "</svg>\n",
    ]
    return "\n".join(parts)


def flow(step: float, theme: Theme) -> Iterator[str]:
    """Draw the values of a run, one below the other, `step` apart."""
    for number, (value, makers) in enumerate(FLOW):
        y = TOP + step * number
        yield box(24, y, 440, value, theme)
        if makers:
            yield (
                f'<path d="M60 {y + ROW - 4:.1f} v{step - ROW:.1f} m-6 -8 l6 8 l6 -8" fill="none" '
                f'stroke="{theme.quiet}" stroke-width="2" stroke-linejoin="round"/>'
            )
            yield text(82, y + (step + ROW) / 2, makers, theme.quiet, 15)


def stack(rows: list[list[str]], theme: Theme) -> Iterator[str]:
    """Draw the layers, one below the other."""
    for number, rooms in enumerate(rows):
        width = (436 - 8 * (len(rooms) - 1)) / len(rooms)
        for place, room in enumerate(rooms):
            yield box(540 + place * (width + 8), TOP + ROW * number, width, room, theme)


def box(x: float, y: float, width: float, words: str, theme: Theme) -> str:
    """Return a rounded box with words in its middle."""
    frame = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{ROW - 8}" rx="6" '
        f'fill="{theme.cell}" stroke="{theme.line}"/>'
    )
    return frame + text(x + width / 2, y + 23, words, theme.ink, 15, "middle")


if __name__ == "__main__":
    main()
