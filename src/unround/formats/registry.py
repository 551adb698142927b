"""Which reader is for which file. The content decides, never the file's name."""

from __future__ import annotations

import stat
from collections.abc import Collection
from functools import cache
from importlib import import_module

from unround.formats.files.grid import is_workbook
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns, table_header
from unround.formats.model import ImportRefused, Reader

# In this order: the first that recognises a file reads it; plain tables take what is left.
SYSTEMS = ("hotcrp", "openreview", "cmt", "easychair", "peerread", "csv")
_MODULES = {"csv": "plain"}
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, the most particular first."""
    found: list[Reader] = []
    for system in SYSTEMS:
        module = import_module(f"unround.formats.systems.{_MODULES.get(system, system)}")
        found.extend(module.READERS)
    return tuple(found)


def recognise(source: Source, system: str = "auto", named: Collection[str] = ()) -> Reader:
    """The reader for a file, among those of one system or of all.

    A table with none of the usual names is still one if the user named some of its columns.
    """
    _check_kind(source)
    fitting = [reader for reader in readers() if reader.recognises(source)]
    wanted = [reader for reader in fitting if system in ("auto", reader.system)]
    if wanted:
        return wanted[0]
    if fitting:
        raise ImportRefused(
            f"{source.name} is not a {system} file: it looks like {fitting[0].title}; "
            f"use --format {fitting[0].system} or --format auto"
        )
    if system in ("auto", "csv") and not set(named).isdisjoint(table_columns(source)):
        return next(reader for reader in readers() if reader.system == "csv")
    error = table_header(source).error
    if error is not None:
        raise error
    raise ImportRefused(f"{source.name} {_what_it_is(source)}. {_alternatives(system)}")


def _check_kind(source: Source) -> None:
    """Only files and folders: a pipe would wait for ever, a device never end."""
    try:
        mode = source.path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise ImportRefused(f"{source.path} does not exist") from None
    except OSError as error:
        raise ImportRefused(f"{source.path} cannot be read: {error.strerror}") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ImportRefused(f"{source.path} is neither a file nor a folder")


def _what_it_is(source: Source) -> str:
    if source.is_folder:
        return "is a folder without anything that looks like reviews"
    if not source.head:
        return "is empty"
    if source.head.startswith(_OLD_EXCEL):
        return "is a binary Excel file (.xls): save it as .xlsx or CSV (UTF-8)"
    columns = table_columns(source)
    if columns:
        names = ", ".join(repr(name[:60]) for name in columns[:12])
        return f"is a table with the columns {names}, which are not understood"
    if is_workbook(source):
        return "is a workbook without cells"
    if source.looks_like_json:
        return "is JSON of an unknown shape"
    if source.looks_like_xml:
        return "is XML of an unknown shape"
    return "is a binary file of an unknown kind" if source.is_binary else "is blank"


def _alternatives(system: str) -> str:
    known = [reader.title for reader in readers() if system in ("auto", reader.system)]
    return (
        f"Understood are: {'; '.join(known)}. "
        "For a table of your own, name its columns: --column reviewer=.. --column score=.."
    )
