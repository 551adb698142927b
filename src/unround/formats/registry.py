"""Find the reader for a file. The content decides, never the file's name."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from unround.formats.files.grid import is_workbook
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns, table_heads
from unround.formats.model import ImportRefused, Reader
from unround.formats.systems.plain import READER as PLAIN
from unround.formats.systems.plain import has_own_names
from unround.formats.systems.plain.columns import FILE, SHEET, missing_columns
from unround.wording import SYSTEMS, option

GROUP = "unround.systems"  # the entry points by which other packages add systems
_MODULES = {"csv": "plain"}
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_HTML = re.compile(r"\s*<(?:!doctype html|html|table|head|body|div)\b", re.IGNORECASE)


@cache
def readers() -> tuple[Reader, ...]:
    """Return every reader, the most particular first: plain tables take what no system claims."""
    *ours, plain = SYSTEMS
    systems = (*ours, *other_systems(), plain)
    return tuple(reader for system in systems for reader in system_module(system).READERS)


def other_systems() -> tuple[str, ...]:
    """Return the names of the systems that other packages add."""
    return tuple(sorted(entry_points(group=GROUP).names - SYSTEMS.keys()))


def system_module(system: str) -> ModuleType:
    """Import the module of a system: its readers, and for some an export and a connection."""
    if system in SYSTEMS:
        return import_module(f"unround.formats.systems.{_MODULES.get(system, system)}")
    module: ModuleType = entry_points(group=GROUP)[system].load()
    return module


def find_reader(source: Source, system: str = "auto", named: Collection[str] = ()) -> Reader | None:
    """Return the reader for a file, among those of one system or of all; None if there is none.

    A table with none of the usual names is still one if the user named some of its columns.
    """
    if system in ("auto", "csv") and has_own_names(source):
        return PLAIN
    for reader in readers():
        if system in ("auto", reader.system) and reader.recognises(source):
            return reader
    columns = table_columns(source) if system in ("auto", "csv") and named else []
    if columns and not {SHEET, FILE, *columns}.isdisjoint(named):
        return PLAIN
    error = table_heads(source).error
    if error is not None:
        raise error
    return None


def recognise(source: Source, system: str = "auto", named: Collection[str] = ()) -> Reader:
    """Return the reader for a file; refuse, in words that help, one that has none."""
    reader = find_reader(source, system, named)
    if reader is not None:
        return reader
    other = find_reader(source)
    if other is not None:
        raise ImportRefused(
            f"{source.name} is not a {system} file: it looks like {other.title}; "
            f"use {option('format', other.system)} or {option('format', 'auto')}"
        )
    columns = table_columns(source)
    if columns and system in ("auto", "csv"):
        raise ImportRefused(f"{source.name} is a table, but {missing_columns(columns, {})}")
    raise ImportRefused(
        f"{source.name} {_what_it_is(source)}; `unround help files` lists the files that are read"
    )


def _what_it_is(source: Source) -> str:
    if not source.head:
        return "is empty: export it again"
    if source.head.startswith(_OLD_EXCEL):
        return (
            "is a binary Excel file (.xls) or a workbook with a password: open it in a spreadsheet and save "
            "it as .xlsx without a password, or as CSV (UTF-8)"
        )
    if _HTML.match(source.head_text):
        return "is a web page (HTML), whatever its name: open it in a spreadsheet and save it as .xlsx or CSV"
    if table_columns(source):
        return "is a table of another kind"
    if is_workbook(source):
        return "is a workbook without cells"
    if source.looks_like_json or source.looks_like_xml:
        return "is JSON or XML of an unknown shape"
    if source.is_binary:
        return "is a binary file of an unknown kind: unpack it, or save its table as .xlsx or CSV (UTF-8)"
    return "is blank"
