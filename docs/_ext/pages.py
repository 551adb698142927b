"""What the theme leaves open on a phone: small pictures, wide tables, and where code may break.

And sentences about properties, whose words before a colon napoleon takes for a type.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx

LONGEST = 36  # characters that a phone shows on one line
EXPLAINING = ["Meaning"], ["meaning"], ["Remarks"], ["Where"], ["Do"]  # last heads of such tables


def setup(app: Sphinx) -> dict[str, Any]:
    """Change every page once it is read, and docstrings once napoleon has read them."""
    app.connect("doctree-read", _change)
    app.connect("autodoc-process-docstring", _put_together, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _change(_: Sphinx, page: nodes.document) -> None:
    for picture in list(page.findall(nodes.image)):
        _link_to_itself(picture)
    for code in page.findall(nodes.literal):
        if any(len(word) > LONGEST for word in code.astext().split()):
            code["classes"].append("long")
    for table in page.findall(nodes.table):
        if _explains(table):
            table["classes"].append("explains")


def _link_to_itself(picture: nodes.image) -> None:
    """Open a picture in full by a click; a picture of the other theme is no stop of the Tab key."""
    link = nodes.reference(refuri=picture["uri"], internal=True, classes=picture["classes"])
    picture.replace_self(link)
    link += picture


def _explains(table: nodes.table) -> bool:
    """Return whether a table says what names mean: a phone can show its cells below each other."""
    heads = [
        entry.astext() for head in table.findall(nodes.thead) for entry in head.findall(nodes.entry)
    ]
    return len(heads) <= 3 and heads[-1:] in EXPLAINING


def _put_together(
    _app: Sphinx, what: str, _name: str, _of: object, _options: object, lines: list[str]
) -> None:
    mark = ":type: "
    types = [line for line in lines if line.startswith(mark)]
    if what == "property" and types:
        lines.remove(types[0])
        lines[0] = f"{types[0].removeprefix(mark)}: {lines[0]}"
