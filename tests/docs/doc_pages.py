"""The pages of the documentation and the fenced blocks in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_OPEN = re.compile(r"```(?:\{code-block\} *)?(\w*)")
_OPTION = re.compile(r":(\w+): *(.*)")


@dataclass(frozen=True)
class Block:
    """A fenced block: what it says it is, where its text begins, and its caption if it has one."""

    language: str
    line: int
    text: str
    caption: str = ""


def all_pages() -> list[Path]:
    """The README, and every page of the docs."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order. Directives other than code-block are none."""
    blocks: list[Block] = []
    lines = iter(enumerate(page.read_text("utf-8").splitlines(), start=1))
    for number, line in lines:
        opened = _OPEN.fullmatch(line)
        if not opened:
            continue
        inside: list[str] = []
        for _, text in lines:
            if text == "```":
                break
            inside.append(text)
        options = _options(inside) if "{" in line else {}
        body = inside[len(options) :]
        start = number + 1 + len(options)
        text = "\n".join(body) + "\n"
        blocks.append(Block(opened.group(1), start, text, options.get("caption", "")))
    return blocks


def _options(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        option = _OPTION.fullmatch(line)
        if not option:
            break
        found[option.group(1)] = option.group(2)
    return found
