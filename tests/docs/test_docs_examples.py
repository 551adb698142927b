"""Every example of the documentation gives what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.doc_pages import ROOT, all_pages, blocks_of, page_name
from tests.docs.doc_reader import WIDTH, PageReader

PAGES = [page for page in all_pages() if any(block.language for block in blocks_of(page))]
# Pages that start a cluster, or run experiments.
MARKS = {
    "commands": pytest.mark.cluster,
    "trust": pytest.mark.slow,
    "architecture": pytest.mark.slow,
}


@pytest.mark.parametrize(
    "doc",
    [pytest.param(page, marks=MARKS.get(page.stem, ())) for page in PAGES],
    ids=map(page_name, PAGES),
)
def test_page(doc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    reader = PageReader(doc, tmp_path)
    for block in blocks_of(doc):
        reader.follow(block)
    assert not reader.complaints, "\n".join(reader.complaints)


@pytest.mark.parametrize("doc", PAGES, ids=page_name)
def test_no_example_goes_unchecked(doc: Path) -> None:
    for block in blocks_of(doc):
        if block.language == "console":
            assert block.text.startswith("$ "), f"line {block.line}: begin with the command"
        if block.language == "python" and not block.caption:
            assert block.text.startswith(">>> "), f"line {block.line}: begin with >>>"


@pytest.mark.parametrize("doc", PAGES, ids=page_name)
def test_no_session_needs_a_scroll_bar(doc: Path) -> None:
    shown = [block.text for block in blocks_of(doc) if block.language == "console"]
    assert [line for text in shown for line in text.splitlines() if len(line) > int(WIDTH)] == []
