"""Sections of measured values -> one Markdown report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchmarks.harness.machine import machine, versions

FAILED = "**This section could not be measured.**"


@dataclass(frozen=True)
class Table:
    """Cells are text, already formatted; the first column is left-aligned, others right."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def markdown(self) -> str:
        """Padded, so that numbers stand below each other in the file as well."""
        every = [self.head, *self.rows]
        widths = [max(3, *map(len, column)) for column in zip(*every, strict=True)]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        head, *rows = [_padded(row, widths) for row in every]
        return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def _padded(row: tuple[str, ...], widths: list[int]) -> list[str]:
    first, *others = row
    right = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
    return [first.ljust(widths[0]), *right]


@dataclass(frozen=True)
class Section:
    """A heading, words and tables in the order they are read."""

    title: str
    parts: tuple[str | Table, ...]

    def markdown(self) -> str:
        shown = [part if isinstance(part, str) else part.markdown() for part in self.parts]
        return "\n\n".join([f"## {self.title}", *shown])


def render(sections: Sequence[Section], method: str, source: str) -> str:
    """The whole report."""
    head = [
        "# Benchmarks",
        "Written by `make bench`; every figure was measured by that one run.",
        _facts(source),
        "## Method",
        method,
    ]
    return "\n\n".join([*head, *(section.markdown() for section in sections)]) + "\n"


def seconds(value: float) -> str:
    """Three digits, in the unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{_three_digits(value / size)} {unit}"
    return f"{_three_digits(value * 1e9)} ns"


def megabytes(value: float) -> str:
    return f"{value:,.0f} MB"


def verdict(measured: float, most: float) -> str:
    """Whether a value keeps to its target."""
    return "yes" if measured <= most else "**no**"


def _three_digits(value: float) -> str:
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:,.{decimals}f}"


def _facts(source: str) -> str:
    rows = [
        ("date", f"{datetime.now(UTC):%Y-%m-%d}"),
        *machine(),
        ("versions", versions()),
        ("source", source),
    ]
    return "\n".join(f"* {name}: {value}" for name, value in rows)
