"""Options as Python, the command line or the console name them.

Each entry point states its audience once (`written_for`); messages name options by `option`.

>>> option("scale", "1..5")
'scale="1..5"'
>>> with written_for(COMMAND):
...     option("scale", "1..5")
'--scale 1..5'
>>> with written_for(PAGE):
...     option("scale", "1..5"), option("conflicts", "scores")
('“Scale” 1..5', '“Trust the scores”')
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from unround.wording.words import LAMBDA_CHOICES, POLICIES, UNRANKED, Words


class Audience(StrEnum):
    """Who reads a message: users of the command line, of Python, or of the console."""

    COMMAND = "command"
    PYTHON = "python"
    PAGE = "page"


COMMAND, PYTHON, PAGE = Audience.COMMAND, Audience.PYTHON, Audience.PAGE
_audience = ContextVar("audience", default=PYTHON)


@contextmanager
def written_for(audience: Audience) -> Iterator[None]:
    """Name options for an audience inside a block, or inside the function it decorates."""
    token = _audience.set(audience)
    try:
        yield
    finally:
        _audience.reset(token)


def current_audience() -> Audience:
    """Return the audience that messages are written for."""
    return _audience.get()


def _text(values: Sequence[str]) -> str:
    return json.dumps(",".join(values), ensure_ascii=False)


def _number(values: Sequence[str]) -> str:
    return values[0] if values[0][0].isdigit() else _text(values)  # such as lam="auto"


def _list(values: Sequence[str]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _mapping(values: Sequence[str]) -> str:
    return json.dumps(dict(value.split("=", 1) for value in values), ensure_ascii=False)


def _switch(_values: Sequence[str]) -> str:
    return "True"


_NONE: Mapping[str, Words] = MappingProxyType({})


class Option(NamedTuple):
    """One option on the command line and in the console, and how Python writes its values."""

    flag: str
    label: str  # of its control in the console; empty where the console has none
    literal: Callable[[Sequence[str]], str] = _text
    titles: Mapping[str, Words] = _NONE  # choices that the console shows by their titles


OPTIONS = {
    "scale": Option("--scale", "Scale"),
    "lam": Option("--lam", "λ", _number, LAMBDA_CHOICES),
    "epsilon": Option("--epsilon", "Smallest gap ε", _number),
    "conflicts": Option(
        "--conflicts", "When a ranking contradicts its reviewer’s scores", titles=POLICIES
    ),
    "unranked": Option("--unranked", "Papers that a reviewer did not rank", titles=UNRANKED),
    "allow_loss": Option("--allow-loss", "", _switch),
    "ignore_rankings": Option("--ignore-rankings", "Leave rankings out", _switch),
    "tolerance": Option("--tolerance", "", _number),
    "columns": Option("--column", "Columns", _mapping),
    "missing": Option("--missing", "Missing values", _mapping),
    "fields": Option("--field", "Score field", _list),
    "rankings": Option("--rankings", "Files", _list),
    "ranker": Option("--ranker", "Ranker"),
    "format": Option("--format", "Format"),
    "encoding": Option("--encoding", "Encoding"),
    "duplicates": Option("--duplicates", "Duplicates"),
    "match_ids": Option("--match-ids", "Match ids"),
    "count_drafts": Option("--count-drafts", "Count drafts", _switch),
    "keep_withdrawn": Option("--keep-withdrawn", "Count withdrawn papers", _switch),
    "force": Option("--force", "", _switch),
    "table": Option("--table", ""),
    "areachairs": Option("--areachairs", ""),
}


def option(name: str, *values: str) -> str:
    """Return an option, with or without values, as the current audience writes it.

    >>> option("columns", "score=Merit"), option("lam")
    ('columns={"score": "Merit"}', 'lam')
    """
    return _WRITERS[current_audience()](name, values)


def with_options(template: str) -> str:
    """Fill the options into a text that names them in braces.

    >>> with_options("ask the reviewer, or choose {conflicts:scores}")
    'ask the reviewer, or choose conflicts="scores"'
    """
    return template.format_map({name: _Placeholder(name) for name in OPTIONS})


class _Placeholder(NamedTuple):
    """The place of an option in a template; what follows the colon there is the option's value."""

    name: str

    def __format__(self, value: str) -> str:
        return option(self.name, value) if value else option(self.name)


def _in_python(name: str, values: Sequence[str]) -> str:
    literal = OPTIONS[name].literal
    return f"{name}={literal(values)}" if values or literal is _switch else name


def _on_command_line(name: str, values: Sequence[str]) -> str:
    flag = OPTIONS[name].flag
    return " ".join(f"{flag} {shlex.quote(value)}" for value in values) or flag


def _on_page(name: str, values: Sequence[str]) -> str:
    _, label, _, titles = OPTIONS[name]
    text = ", ".join(values)
    if text in titles:
        return f"“{titles[text].title}”"
    if not label:
        return f"{_on_command_line(name, values)} (on the command line)"
    return f"“{label}” {text}".rstrip()


_WRITERS = {COMMAND: _on_command_line, PYTHON: _in_python, PAGE: _on_page}
