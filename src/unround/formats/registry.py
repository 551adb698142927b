"""Which reader is for which file. The content decides, never the file's name."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from unround.formats.model import ImportProblem, Reader
from unround.formats.sources import Source

# In this order: the first that recognises a file reads it; plain tables take what is left.
SYSTEMS = ("hotcrp", "openreview", "cmt", "peerread", "csv")
_MODULES = {"csv": "plain"}


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, the most particular first."""
    found: list[Reader] = []
    for system in SYSTEMS:
        module = import_module(f"unround.formats.{_MODULES.get(system, system)}")
        found.extend(module.READERS)
    return tuple(found)


def recognise(source: Source, system: str = "auto") -> Reader:
    """The reader for a file, among those of one system or of all."""
    if not source.path.exists():
        raise ImportProblem(f"{source.path} does not exist")
    fitting = [reader for reader in readers() if reader.recognises(source)]
    wanted = [reader for reader in fitting if system in ("auto", reader.system)]
    if wanted:
        return wanted[0]
    if fitting:
        raise ImportProblem(
            f"{source.name} is not a {system} file: it looks like {fitting[0].title}; "
            f"use --format {fitting[0].system} or --format auto"
        )
    raise ImportProblem(f"{source.name} {_what_it_is(source)}. {_alternatives(system)}")


def _what_it_is(source: Source) -> str:
    if source.is_folder:
        return "is a folder without anything that looks like reviews"
    if not source.head:
        return "is empty"
    if source.is_binary:
        return "is a binary file of an unknown kind"
    if source.looks_like_json:
        return "is JSON of an unknown shape"
    if source.looks_like_xml:
        return "is XML of an unknown shape"
    columns = ", ".join(repr(name) for name in source.header[:12])
    return f"is a table with the columns {columns}, which are not understood"


def _alternatives(system: str) -> str:
    known = [reader.title for reader in readers() if system in ("auto", reader.system)]
    return (
        f"Understood are: {'; '.join(known)}. "
        "For a table of your own, name its columns: --column reviewer=.. --column score=.."
    )
