"""Options in the words of whoever reads: the command line's, Python's, or the console's pages'.

Messages name options as the stage that writes them knows them: the library as `scale="1..5"`,
readers of files as `--field NAME`. `told` rewrites both, so that a message is written once.

>>> told('name the levels with scale="1..5"', COMMAND)
'name the levels with --scale 1..5'
>>> told("choose with --column score=Merit", PYTHON)
'choose with columns={"score": "Merit"}'
>>> told('or choose conflicts="scores"', PAGE)
'or choose “Scores rule”'
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from unround.glossary.words import LAMBDA_CHOICES, POLICIES, SYSTEMS, UNRANKED, Words


class Audience(StrEnum):
    """Who reads a message."""

    COMMAND = "command"
    PYTHON = "python"
    PAGE = "page"


COMMAND, PYTHON, PAGE = Audience.COMMAND, Audience.PYTHON, Audience.PAGE
_NONE: Mapping[str, Words] = MappingProxyType({})


class Option(NamedTuple):
    """One option in the three languages."""

    python: str
    flag: str
    label: str  # of the field on the page
    value: str = "(?!)"  # what may follow the flag, as a pattern; nothing unless said
    titles: Mapping[str, Words] = _NONE  # choices that the page shows by their titles
    repeated: bool = False


_LEVELS = r"[^\s,;:.()]+(?:(?:,|:|\.\.|\.)[^\s,;:.()]+)+|\.\."
_WORD = r"""(?!(?:to|or|and|if|for|as|which)\b)(?:"[^"]*"|'[^']*'|[^\s,;:.()]+(?:\.[^\s,;:.()]+)*|\.\.)"""
_NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"
OPTIONS = (
    Option("scale", "--scale", "Scale", _LEVELS),
    Option("lam", "--lam", "λ", rf"auto\+?|inf|{_NUMBER}", LAMBDA_CHOICES),
    Option("epsilon", "--epsilon", "Smallest gap ε", _NUMBER),
    Option(
        "conflicts",
        "--conflicts",
        "When a ranking contradicts its reviewer’s scores",
        "refuse|scores|rankings",
        POLICIES,
    ),
    Option(
        "unranked", "--unranked", "Papers that a reviewer did not rank", "apart|below", UNRANKED
    ),
    Option("same_within", "--same-within", "About the same within", _NUMBER),
    Option("allow_loss", "--allow-loss", "Go on without most statements"),
    Option("tolerance", "--tolerance", "Tolerance", _NUMBER),
    Option("columns", "--column", "Columns", rf"\w+={_WORD}", repeated=True),
    Option("fields", "--field", "Score field", _WORD, repeated=True),
    Option("rankings", "--rankings", "Files", _WORD, repeated=True),
    Option("ranker", "--ranker", "Ranker", _WORD),
    Option("format", "--format", "Format", rf"(?:auto|{'|'.join(SYSTEMS)})\b"),
    Option("encoding", "--encoding", "Encoding", r"[\w-]+\d[\w-]*"),
    Option("duplicates", "--duplicates", "Duplicates", "newest|first|mean|refuse"),
    Option("match_ids", "--match-ids", "Match ids", r"(?:certain|always|never)\b"),
    Option("force", "--force", "Replace"),
)
_IN_PYTHON = r"""\[[^\]]*\]|"[^"]*"|\{[^}]*\}|True\b|[\w.]*\w\b|"""
# No option is named without one of these.
_MARKS = ("=", "--", " must ")


@cache
def _any_option() -> re.Pattern[str]:
    """Compile the pattern of all options; it takes longer than to load this module."""
    return re.compile(
        "|".join(
            [
                rf"(?<![\w-]){option.python}=(?P<python{number}>{_IN_PYTHON})"
                rf"|(?<![\w-]){option.flag}(?![\w-])(?: (?P<flag{number}>{option.value}))?"
                rf"|^{option.python}(?P<bare{number}>)(?= must )"
                for number, option in enumerate(OPTIONS)
            ]
        )
    )


def told(text: str, audience: Audience) -> str:
    """Return a message with its options in the reader's words."""
    if not any(mark in text for mark in _MARKS):
        return text

    def written(match: re.Match[str]) -> str:
        number, option = next(
            (number, option)
            for number, option in enumerate(OPTIONS)
            if match[0].startswith((f"{option.python}=", option.flag)) or match[0] == option.python
        )
        values = _values(match[f"python{number}"] or match[f"flag{number}"] or "")
        if match[f"bare{number}"] is not None and audience is PYTHON:
            return match[0]
        return _WRITTEN[audience](option, values)

    return _any_option().sub(written, text)


def _values(text: str) -> list[str]:
    """The values of an option without brackets and quotes: `{"score": "Merit"}` is score=Merit."""
    if text == "True":
        return []
    mapped = text.startswith("{")
    bare = text.strip("[]{}").replace(": ", "=") if mapped else text.strip("[]")
    parts = bare.split(", ") if text[:1] in ("[", "{") else [bare]
    return [part.replace('"', "").replace("'", "") for part in parts if part]


def _command(option: Option, values: list[str]) -> str:
    if option.repeated and values:
        return " ".join(f"{option.flag} {_quoted(value)}" for value in values)
    return f"{option.flag} {_quoted(','.join(values))}" if values else option.flag


def _quoted(value: str) -> str:
    return shlex.quote(value) if " " in value else value


def _python(option: Option, values: list[str]) -> str:
    if option.value == "(?!)":
        return f"{option.python}=True"
    if not values:
        return f"{option.python}="
    if option.python == "columns":
        pairs = (value.partition("=") for value in values)
        return "columns={" + ", ".join(f'"{ours}": "{theirs}"' for ours, _, theirs in pairs) + "}"
    if option.python == "rankings":
        return f"rankings=[{', '.join(values)}]"
    if option.repeated:
        return f"{option.python}=[" + ", ".join(f'"{value}"' for value in values) + "]"
    text = ",".join(values)
    plain = option.value == _NUMBER or re.fullmatch(_NUMBER, text)
    return f"{option.python}={text}" if plain else f'{option.python}="{text}"'


def _page(option: Option, values: list[str]) -> str:
    text = ", ".join(values) if option.repeated else ",".join(values)
    if text in option.titles:
        return f"“{option.titles[text].title}”"
    return f"“{option.label}” {text}".rstrip()


_WRITTEN = {COMMAND: _command, PYTHON: _python, PAGE: _page}
