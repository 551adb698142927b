"""Our docstrings -> what autodoc shows: columns of parameters become a list.

A docstring names its parameters in columns. The longest name may be one space from its text:

    reviews     dataframe of any kind with reviewer, paper, score
    rankings    reviewer, paper, rank (1 = best),
                or a list of such tables
    same_within largest gap
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from sphinx.application import Sphinx

# Values that only the library makes, and lists of words: how to build one is of no use to a reader.
MADE_BY_THE_LIBRARY = ("Result", "Certificate", "Selection", "Update", "Conference", "Issue")
WORDS = ("Kind", "Policy", "Unranked")
_ROW = re.compile(r"(\w+)( +)(\S.*)")
_ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")  # how Sphinx spells a union with an alias
_MORE = re.compile(r" {4,}(\S.*)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite docstrings and signatures as autodoc meets them."""
    app.connect("autodoc-process-docstring", _process_docstring)
    app.connect("autodoc-process-signature", _process_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    if what in ("function", "method", "class"):
        lines[:] = parameters_listed(lines, _parameters(obj))


def _process_signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    if what == "class" and name.rpartition(".")[2] in (*MADE_BY_THE_LIBRARY, *WORDS):
        return "", ""
    return (_ALIAS.sub(r"\1", signature), returns) if signature else None


def parameters_listed(lines: list[str], parameters: set[str]) -> list[str]:
    """The lines with every row of the columns as a field `:param name: text`."""
    listed: list[str] = []
    inside = False
    for line in lines:
        row, more = _ROW.fullmatch(line), _MORE.fullmatch(line)
        if row and row.group(1) in parameters and (inside or len(row.group(2)) > 1):
            listed.append(f":param {row.group(1)}: {row.group(3)}")
            inside = True
        elif inside and more:
            listed[-1] += f" {more.group(1)}"
        else:
            inside = False
            listed.append(line)
    return listed


def _parameters(obj: Any) -> set[str]:
    try:
        return set(inspect.signature(obj).parameters)
    except (TypeError, ValueError):
        return set()
