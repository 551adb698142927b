"""Figures as SVG, PDF and PNG: the same bytes from the same numbers."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError
from unround.lab.figures.results import Results
from unround.lab.plan import Figure
from unround.lab.trials.runner import INSTALL

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

# No date, so that a figure drawn again is the same file.
_FORMATS: Mapping[str, Mapping[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
    "png": {"dpi": 160},
}


def check_installed() -> None:
    """Say how to get what draws figures, before anything is computed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(f"figures need matplotlib; {INSTALL}") from None


def draw(figure: Figure, results: Results) -> Drawing | None:
    """A figure with the panels that have data; None if none has."""
    from unround.lab.figures.layout import lay_out
    from unround.lab.figures.style import in_print

    panels = [panel for panel in figure.panels if results.has(panel)]
    if not panels:
        return None
    with in_print():
        return lay_out(figure, panels, results)


def save(drawing: Drawing, name: str, folder: Path) -> bytes:
    """NAME.svg, NAME.pdf and NAME.png, each whole; returns the SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {suffix: as_bytes(drawing, suffix) for suffix in _FORMATS}
    for suffix, content in written.items():
        path = folder / f"{name}.{suffix}"
        draft = path.with_name(f".{path.name}")
        draft.write_bytes(content)
        draft.replace(path)
    return written["svg"]


def as_bytes(drawing: Drawing, suffix: str) -> bytes:
    """A drawing in one format."""
    from unround.lab.figures.style import in_print

    buffer = io.BytesIO()
    with in_print():
        drawing.savefig(buffer, format=suffix, **_FORMATS[suffix])
    return buffer.getvalue()
