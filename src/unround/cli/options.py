"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from unround.formats.model import Options
from unround.formats.registry import SYSTEMS

Command = TypeVar("Command", bound=Callable[..., Any])


def input_options(command: Command) -> Command:
    """How to read the input."""
    existing = click.Path(path_type=Path)
    for option in reversed(
        (
            click.argument("reviews", nargs=-1, required=True, type=existing),
            click.option(
                "--rankings",
                multiple=True,
                type=existing,
                help="Rankings; repeat for several files.",
            ),
            click.option(
                "--format",
                "system",
                type=click.Choice(("auto", *SYSTEMS)),
                default="auto",
                show_default=True,
                help="Where the files come from; auto goes by their content.",
            ),
            click.option(
                "--column",
                "columns",
                multiple=True,
                metavar="OURS=THEIRS",
                help="Name a table's column.",
            ),
            click.option(
                "--field",
                "fields",
                multiple=True,
                help="Score field; repeat to fall back on others.",
            ),
            click.option(
                "--ranker", help="Whose ranking it is, for a HotCRP offline ranking file."
            ),
        )
    ):
        command = option(command)
    return command


def method_options(command: Command) -> Command:
    """How statements become constraints."""
    for option in reversed(
        (
            click.option("--scale", help="Every level, worst to best: 1,3,5,6,8,10 or D,C,B,A."),
            click.option(
                "--epsilon",
                type=float,
                default=0.05,
                show_default=True,
                help="Least gap of ranked papers.",
            ),
            click.option(
                "--conflicts",
                type=click.Choice(("refuse", "scores", "rankings")),
                default="refuse",
                show_default=True,
                help="What rules where a ranking contradicts its author's scores.",
            ),
            click.option(
                "--unranked",
                type=click.Choice(("apart", "below")),
                default="apart",
                show_default=True,
                help="Where papers stand that a reviewer did not rank.",
            ),
            click.option(
                "--same-within", type=float, help="Largest gap of papers called about the same."
            ),
        )
    ):
        command = option(command)
    return command


def reading_options(
    system: str, columns: tuple[str, ...], fields: tuple[str, ...], ranker: str | None
) -> Options:
    """What the user said about how to read, checked."""
    chosen: dict[str, str] = {}
    for entry in columns:
        ours, separator, theirs = entry.partition("=")
        if not separator or not ours or not theirs:
            raise click.BadParameter(
                f"{entry!r} is not of the form OURS=THEIRS", param_hint="--column"
            )
        chosen[ours.strip()] = theirs.strip()
    return Options(format=system, columns=chosen, score_fields=fields, ranker=ranker)


def parse_scale(text: str | None) -> list[float | int | str] | None:
    """Levels from "1,3,5,6" or "D,C,B,A"."""
    if text is None:
        return None
    symbols = [symbol.strip() for symbol in text.split(",") if symbol.strip()]
    try:
        return [float(symbol) for symbol in symbols]
    except ValueError:
        return list(symbols)


def parse_lambda(text: str) -> float | str:
    """The word auto, or a number."""
    if text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(
            f'{text!r} is neither "auto" nor a number', param_hint="--lam"
        ) from None
