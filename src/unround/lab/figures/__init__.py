"""Draw figures and save them as SVG, PDF and PNG; equal numbers give equal files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError
from unround.lab.plan import Figure
from unround.lab.results import Results
from unround.lab.trials.runner import INSTALL
from unround.output.atomic import whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

# No dates, so that equal figures are equal files.
_FORMATS: Mapping[str, Mapping[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
    "png": {"dpi": 160},
}


def check_installed() -> None:
    """Raise UsageError if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise UsageError(f"figures need matplotlib; {INSTALL}") from None


def draw(figure: Figure, results: Results) -> Drawing | None:
    """Draw the panels that have data; return None if none has."""
    from unround.lab.figures.style import in_print, lay_out

    panels = [panel for panel in figure.panels if results.has(panel)]
    if not panels:
        return None
    with in_print():
        return lay_out(figure, panels, results)


def save(drawing: Drawing, name: str, folder: Path) -> bytes:
    """Write NAME.svg, NAME.pdf and NAME.png; return the SVG."""
    written = {suffix: as_bytes(drawing, suffix) for suffix in _FORMATS}
    for suffix, content in written.items():
        with whole_file(folder / f"{name}.{suffix}") as draft:
            draft.write_bytes(content)
    return written["svg"]


def as_bytes(drawing: Drawing, suffix: str) -> bytes:
    """Return a drawing in one format."""
    from unround.lab.figures.style import in_print

    buffer = io.BytesIO()
    with in_print():
        drawing.savefig(buffer, format=suffix, **_FORMATS[suffix])
    return buffer.getvalue()
