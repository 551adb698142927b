"""Formulas as MathML, which browsers draw by themselves: no script and no other host.

A command that the converter does not know is a warning, and so ends the build.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

# What the converter takes for another kind of symbol than TeX does: bars and slashes stand close
# and do not stretch, infinity is no operator, plus-minus is one.
REPAIRS = {
    "<mo>&#x02016;</mo>": '<mo stretchy="false" lspace="0" rspace="0">&#x02016;</mo>',
    '<mo stretchy="false">&#x0007C;</mo>': '<mo stretchy="false" lspace="0" rspace="0">|</mo>',
    "<mo>&#x0002F;</mo>": '<mo lspace="0" rspace="0">/</mo>',
    "<mo>&#x0221E;</mo>": "<mi>&#x0221E;</mi>",
    "<mi>&#x000B1;</mi>": "<mo>&#x000B1;</mo>",
}
_UNKNOWN = re.compile(r"\\\w+")  # the converter passes on what it does not know
_log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the renderer that conf.py chooses."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_converted(node, "inline"))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(_converted(node, "block"))
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def _converted(node: nodes.Element, display: str) -> str:
    formula = node.astext().strip()
    try:
        drawn = _repaired(convert(formula, display=display))
    except Exception as problem:  # the converter has no error of its own to catch
        _log.warning("%s in the formula %s", type(problem).__name__, formula, location=node)
        return f"<code>{escape(formula)}</code>"
    unknown = _UNKNOWN.search(drawn)
    if unknown:
        _log.warning("unknown command %s in the formula %s", unknown[0], formula, location=node)
    return drawn


def _repaired(drawn: str) -> str:
    for wrong, right in REPAIRS.items():
        drawn = drawn.replace(wrong, right)
    return drawn
