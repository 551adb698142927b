"""What a refusal offers is a promise: each option that it prints leads on, on the same files."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from unround.formats.importer import import_files
from unround.formats.model import ImportRefused, Options

Choice = tuple[str, str]  # an option of the command line, and its value
Read = Callable[[Options, str | None], str]  # what is asked with options and a scale, if anything
DEEPEST = 3
_CHOICE = re.compile(
    r"--(column|field|missing|match-ids|duplicates|scale|encoding|format) ('[^']*'|[^\s']*)"
)
_TO_FILL_IN = re.compile(r"=\.\.|^NAME$|^Q\d+$")  # for a name that only the reader knows


def offered(message: str) -> list[list[Choice]]:
    """Return the options that a message prints; those that stand side by side belong together."""
    found: list[list[Choice]] = []
    end = -2
    for match in _CHOICE.finditer(" ".join(message.split())):
        name, value = match.groups()
        if match.start() != end + 1:
            found.append([])
        to_fill_in = _TO_FILL_IN.search(value) is not None
        value = value.strip("'") if value.startswith("'") else value.rstrip(".,;:)")
        found[-1].append((name, "" if to_fill_in else value))
        end = match.end()
    return [choices for choices in found if all(value for _, value in choices)]


def chosen(options: Options, choices: Sequence[Choice]) -> tuple[Options, str | None]:
    """Return the options with more of them chosen, and the scale if it is among these."""
    scale, fields = None, tuple(value for name, value in choices if name == "field")
    for name, value in choices:
        ours, _, theirs = value.partition("=")
        if name == "scale":
            scale = value
        elif name == "column":
            options = replace(options, columns={**options.columns, ours: theirs})
        elif name == "missing":
            values = filter(None, (options.missing.get(ours), theirs))
            options = replace(options, missing={**options.missing, ours: ",".join(values)})
        elif name != "field":
            options = replace(options, **{name.replace("-", "_"): value})
    if fields or "score" in dict(
        value.partition("=")[::2] for name, value in choices if name == "column"
    ):
        columns = (
            {**options.columns}
            if not fields
            else {ours: theirs for ours, theirs in options.columns.items() if ours != "score"}
        )
        options = replace(options, columns=columns, score_fields=fields)
    return options, scale


def broken(
    read: Read, options: Options, message: str, asked: Sequence[str] = (), scale: str | None = None
) -> Iterator[str]:
    """Yield the offers that fail: followed, they ask for the same again."""
    for choices in offered(message):
        more, stated = chosen(options, choices)
        if not stated and (more == options or set(more.score_fields) < set(options.score_fields)):
            continue  # the message quotes what the user chose
        answer = read(more, stated or scale)
        if answer in (message, *asked):
            yield f"{choices} of {message!r} leads to {answer!r}"
        elif answer and len(asked) < DEEPEST:
            yield from broken(read, more, answer, (message, *asked), stated or scale)


def keep_promises(
    reviews: Sequence[Path], rankings: Sequence[Path], options: Options, message: str
) -> None:
    """Check every option of a refusal on the files that were refused."""

    def read(more: Options, _: str | None) -> str:
        try:
            import_files(reviews, rankings, more)
        except ImportRefused as refusal:
            return str(refusal)
        return ""

    assert not list(broken(read, options, message))
