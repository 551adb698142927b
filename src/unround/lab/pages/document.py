"""Write a report, given as a list of blocks, as one self-contained HTML page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from unround.output.atomic import whole_file

GOOD, FAIR, BAD = "good", "fair", "bad"

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff;
       max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .3rem; } h2 { margin-top: 2.4rem; font-size: 1.25rem; }
table { border-collapse: collapse; margin: .8rem 0 1.2rem; font-size: .87rem;
        font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: right; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
th:first-child, td:first-child, .text { text-align: left; }
.good { background: #d7f0df; } .fair { background: #fdf1cf; } .bad { background: #f9d6d2; }
figure { margin: 1.4rem 0; } figure img { max-width: 100%; height: auto; }
figcaption { font-size: .9rem; color: #444; }
.wide { overflow-x: auto; }
p.glance { font-size: 1.05rem; padding: .5rem .9rem; }
@media print { body { max-width: none; } h2, table, figure { break-inside: avoid; } }
"""


@dataclass(frozen=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True)
class Text:
    """A paragraph, or a cell of a table; `mood` colours it."""

    text: str
    mood: str = ""


@dataclass(frozen=True)
class Grid:
    """A table with a caption and a header."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Text]]


@dataclass(frozen=True)
class Picture:
    """A figure: its file's name without suffix, a caption, and the SVG itself."""

    name: str
    caption: str
    svg: bytes


Block = Heading | Text | Grid | Picture


def write_report(title: str, blocks: Sequence[Block], folder: Path) -> None:
    """Write report.html."""
    with whole_file(folder / "report.html") as draft:
        draft.write_text(as_html(title, blocks), "utf-8")


def as_html(title: str, blocks: Sequence[Block]) -> str:
    """Return one page that needs no other file and no network."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text):
            return f"<h2>{escape(text)}</h2>"
        case Text(text, mood):
            attribute = f' class="glance {mood}"' if mood else ""
            return f"<p{attribute}>{escape(text)}</p>"
        case Picture(_, caption, svg):
            image = base64.b64encode(svg).decode("ascii")
            return (
                f'<figure><img alt="{escape(caption)}" src="data:image/svg+xml;base64,{image}">'
                f"<figcaption>{escape(caption)}</figcaption></figure>"
            )
        case Grid():
            return _html_table(block)


def _html_table(grid: Grid) -> str:
    header = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid.header)
    rows = "\n".join(
        "<tr>" + "".join(_html_cell(cell) for cell in row) + "</tr>" for row in grid.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(grid.caption)}</caption>\n'
        f"<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _html_cell(cell: str | Text) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    attribute = f' class="{cell.mood}"' if cell.mood else ""
    return f"<td{attribute}>{escape(cell.text)}</td>"
