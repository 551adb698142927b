"""Print summaries, issues and errors to the terminal."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import polars as pl
from click.core import ParameterSource
from rich.console import Console
from rich.table import Table
from rich.text import Text

from unround.cli import NOT_POSSIBLE, NOT_SOLVED, REFUSED, UNREAD, WRONG_USAGE
from unround.errors import (
    ClusterLost,
    InputRefused,
    NotSolved,
    NotWritten,
    UnroundError,
    UsageError,
)
from unround.formats.cells import counted
from unround.issues import SHOWN_IN_FULL, Issue, Kind, count_kinds
from unround.metrics import tie_grid
from unround.metrics.papers import tied_places
from unround.runs.contradictions import by_reviewer, fewest_changes
from unround.wording import advice

if TYPE_CHECKING:
    from unround.result import Result
    from unround.runs.folder import Run

MOST_LINES = 8  # of files, in the line of an issue
UNKNOWN_WIDTH = 80  # of terminals that claim to have no columns, on which Rich prints nothing
CLOSE = (0.1, 0.9)  # P(accept) of papers that are too close to call


def out() -> Console:
    """Return a Rich console for standard output, without markup."""
    return _screen(stderr=False)


def err() -> Console:
    """Return a Rich console for standard error, without markup."""
    return _screen(stderr=True)


def _screen(*, stderr: bool) -> Console:
    screen = _Screen(stderr=stderr, highlight=False, markup=False, emoji=False)
    screen.width = screen.width or UNKNOWN_WIDTH
    return screen


# What a command prints comes after the files that it writes.
FILES_COMPLETE = "Not everything was printed; files that were to be written before are complete."
# How to write what an encoding such as ASCII lacks.
SPELLED = str.maketrans({"λ": "lambda", "ε": "epsilon", "→": "->", "∞": "inf", "−": "-", "·": "|"})


class _Screen(Console):
    def print(self, *objects: Any, **options: Any) -> None:
        """Print; where that is not possible, say that the command's files are there."""
        try:
            super().print(*objects, **options)
        except OSError as error:
            error.add_note(FILES_COMPLETE)
            raise

    def render_str(self, text: str, **options: Any) -> Text:
        """Spell symbols where the encoding has none; everything printed comes through here."""
        lacks = not self.encoding.startswith("utf")
        return super().render_str(text.translate(SPELLED) if lacks else text, **options)

    def on_broken_pipe(self) -> None:
        """Exit with our code for a closed pipe; Rich would exit with 1."""
        raise SystemExit(UNREAD)


# What is printed before an error's sentence, and the exit code; the first kind that fits counts.
KINDS_OF_ERRORS: tuple[tuple[type[UnroundError], str, int], ...] = (
    (UsageError, "Error", WRONG_USAGE),
    (NotSolved, "Not solved", NOT_SOLVED),
    (ClusterLost, "Not solved", NOT_SOLVED),
    (NotWritten, "Not written", NOT_POSSIBLE),
    (UnroundError, "Input refused", REFUSED),
)


def report_error(error: UnroundError) -> int:
    """Print why a command ended, and return its exit code."""
    if isinstance(error, InputRefused) and error.issues:
        show_issues(error.issues)
        return REFUSED
    # A command that leaves files behind adds a note.
    sentence = " ".join((str(error), *getattr(error, "__notes__", ())))
    start, code = next(
        (start, code) for kind, start, code in KINDS_OF_ERRORS if isinstance(error, kind)
    )
    click.echo(f"{start}: {sentence}", err=True)
    return code


def show_issues(issues: Sequence[Issue]) -> None:
    """Print the count of each kind with what to do, and the first twenty in full.

    A reviewer's contradictions share one line.
    """
    console, counts = err(), count_kinds(issues)
    console.print(f"{counted(counts.total(), 'issue')} in the input", style="bold")
    for kind, count in counts.most_common():
        people = _people(issues) if kind is Kind.CONTRADICTION else ""
        more = f"(more: unround help {kind})"
        console.print(f"  {count} x {kind}{people}: {advice(kind)} {more}")
    show_lines(issues, SHOWN_IN_FULL, f"`{_check_command()}` lists them all")


def _check_command() -> str:
    """Return the command that writes all issues of what this one reads, as it must be typed."""
    from unround.cli.commands.check import command as check

    context: click.Context | None = click.get_current_context().find_root().obj
    if context is None:  # the command reads a finished run, which names its files
        return "unround check --help"
    words = ["unround", "check"]
    shared = {each.name for each in check.params} - {"output", "mail_merge", "quiet", "as_json"}
    for each in context.command.params:
        typed = context.get_parameter_source(each.name or "") is ParameterSource.COMMANDLINE
        if each.name not in shared or not typed:
            continue
        given = context.params[each.name or ""]
        option = each.opts[:1] if isinstance(each, click.Option) else []
        for value in given if isinstance(given, tuple) else (given,):
            words += [*option, *([] if value is True else [str(value)])]
    return shlex.join([*words, "--output", "issues.csv"])


def show_lines(issues: Sequence[Issue], most: int, where_all: str) -> None:
    """Print the first issues, one line each and one per contradicting reviewer, and count the rest."""
    contradictions = by_reviewer(issues)
    grouped = {id(issue) for listed in contradictions.values() for issue in listed}
    lines = [issue_line(issue) for issue in issues if id(issue) not in grouped]
    lines += [_reviewer_line(listed) for listed in contradictions.values()]
    for line in lines[:most]:
        err().print(f"- {line}")
    if len(lines) > most:
        err().print(f"... and {len(lines) - most:,} more: {where_all}", soft_wrap=True)


def _people(issues: Sequence[Issue]) -> str:
    listed = by_reviewer(issues).values()
    fewest = sum(map(fewest_changes, listed))
    return f" by {counted(len(listed), 'reviewer')}, settled by changing {counted(fewest, 'paper')}"


def _reviewer_line(listed: Sequence[Issue]) -> str:
    line, rest = issue_line(listed[0]), len(listed) - 1
    if not rest:
        return line
    fewest = counted(fewest_changes(listed), "paper")
    return (
        f"{line}, and {counted(rest, 'contradiction')} more of this reviewer, settled by changing "
        f"rank or score of {fewest}"
    )


def issue_line(issue: Issue) -> str:
    """Return one issue as one line, with file and line where known."""
    rest = len(issue.where) - MOST_LINES
    lines = grouped_lines(issue.where[:MOST_LINES]) + (f"; and {rest} more" if rest > 0 else "")
    where = f" [{lines}]" if lines else ""
    done = f" -> {issue.action}" if issue.action else ""
    return f"{issue.message}{where}{done}"


def grouped_lines(origins: Sequence[str]) -> str:
    """Join where issues are, grouping the lines of each file.

    >>> grouped_lines(["a.csv, line 4", "a.csv, line 2", "b.csv, line 3"])
    'a.csv, lines 4 and 2; b.csv, line 3'
    """
    lines: dict[str, list[str]] = {}
    for origin in origins:
        before, unit, number = origin.rpartition(", line ")
        lines.setdefault(before if unit else origin, []).extend([number] if unit else [])
    return "; ".join(
        f"{file}, line{'s' if len(numbers) > 1 else ''} {' and '.join(numbers)}"
        if numbers
        else file
        for file, numbers in lines.items()
    )


def show_summary(result: Result, run: Run, where: str) -> None:
    """Print the summary of a finished run."""
    from unround.runs.tables import PAPERS, SCORES, count_outside_range

    console, record = out(), run.record
    counts, (before, after) = record["counts"], result.ties
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim")
    rows.add_column()
    for sentence in record["recognised"]:
        rows.add_row("read", sentence)
    for note in record["notes"]:
        rows.add_row("note", note)
    issues = ", ".join(f"{n} {kind}" for kind, n in count_kinds(result.issues).items())
    size = f"{counted(counts['reviews'], 'review')} of {counted(counts['papers'], 'paper')}"
    people = counted(counts["reviewers"], "reviewer")
    rows.add_row("conference", f"{size} by {people}{'' if issues else '; no issues'}")
    rows.add_row("scale", f"{result.scale.text} ({result.scale_origin})")
    lam = "infinity" if math.isinf(result.lam) else f"{result.lam:.6g}"
    why = (record["selection"] or {}).get("reason")
    proven = f"exact to {result.certificate.max_error:.1e} (proven)"
    rows.add_row("λ", f"{lam} ({result.lam_reason}{f': {why}' if why else ''}); {proven}")
    outside = count_outside_range(run.tables[SCORES], result.scale)
    if outside:
        rows.add_row(
            "outside",
            f"{counted(outside, 'score')} outside the rounding range of the given one: rankings are trusted",
        )
    if issues:
        rows.add_row("issues", issues)
    for name, sentence in result.diagnostics.in_short() if "diagnostics" in record else ():
        stated = f"{counts['comparisons']:,}; " if name == "comparisons" else ""
        rows.add_row(name, f"{stated}{sentence}")
    for name, sentence in _uncertainty_rows(record, run.tables):
        rows.add_row(name, sentence)
    tied = f"ties {before:.1%} to {after:.1%} of pairs"
    rows.add_row("changes", f"{tied}; {_places_changed(run.tables[PAPERS])}")
    rows.add_row("results", where)
    console.print(rows)


def _uncertainty_rows(
    record: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]
) -> Iterator[tuple[str, str]]:
    """Yield a name and a sentence for each further estimate of the run."""
    from unround.runs.tables import PAPERS
    from unround.runs.uncertainty import STABILITY, UNCERTAINTY

    note = record.get("uncertainty")
    if note and note["mixed"]:
        yield "uncertainty", _places(note, tables[UNCERTAINTY])
        if note["accept"]:
            places = sum_of_line(tables[PAPERS], note["accept"]["papers"])
            yield "line", f"{places}; {_too_close(tables[UNCERTAINTY])}"
    if caution := record.get("calibration", {}).get("caution"):
        yield "calibration", caution
    if "stability" in record:
        yield "stability", _stability(record["stability"], tables[STABILITY])


def _places(note: Mapping[str, Any], papers: pl.DataFrame) -> str:
    width = papers.select(pl.col("place_high") - pl.col("place_low") + 1).median().item()
    return (
        f"half of the papers have a {note['interval']:.0%} interval of {width:,.0f} places or fewer, by a "
        f"model ({note['draws']:,} draws, R-hat {note['rhat']:.3f}, {note['effective']:,.0f} effective)"
    )


def sum_of_line(papers: pl.DataFrame, places: int) -> str:
    """Return which papers are in for so many places as a sum: the sentence of the pages (domain/line.ts).

    >>> papers = pl.DataFrame({"score_mean": [5.0, 4.0, 4.0], "dequantized_mean": [5.0, 4.0, 4.1]})
    >>> sum_of_line(papers, 2)
    '2 in: 1 as before, 1 of the 2 that were tied for the last place; none drops out'
    """
    before, now = (
        tied_places(tie_grid(papers[f"{name}_mean"].to_numpy()))
        for name in ("score", "dequantized")
    )
    places = min(places, papers.height)
    surely, inside = before.last <= places, now.last <= places
    tied, still = (~(of.last <= places) & (of.first <= places) for of in (before, now))
    room = places - int(surely.sum())
    last = f"the {'last ' if surely.any() else ''}{'place' if room == 1 else f'{room:,} places'}"
    parts = {
        "as before": (surely & inside).sum(),
        f"of the {tied.sum():,} that were tied for {last}": (tied & inside).sum(),
        "from below": (inside & ~surely & ~tied).sum(),
        f"of the {still.sum():,} that are still tied": places - inside.sum(),
    }
    told = ", ".join(f"{count:,} {words}" for words, count in parts.items() if count)
    out = int((surely & ~inside & ~still).sum())
    dropped = f"{out:,} drop out" if out > 1 else f"{out or 'none'} drops out"
    return f"{places:,} in{': ' if told else ''}{told}; {dropped}"


def _too_close(papers: pl.DataFrame) -> str:
    close = papers.filter(pl.col("p_accept").is_between(*CLOSE)).height
    return (
        f"{counted(close, 'paper')} too close to call, with P(accept) of {CLOSE[0]:.0%} to "
        f"{CLOSE[1]:.0%}"
    )


def _stability(note: Mapping[str, Any], papers: pl.DataFrame) -> str:
    share, draws = f"{note['share_of_pairs']:.1%}", note["draws"]
    text = f"the order of {share} of the pairs of papers holds when reviewers are resampled ({draws} draws)"
    if note["caution"]:
        text += f"; {note['caution']}"
    if note["accept"] is None:
        return text
    depends = papers.filter(pl.col("depends_on").fill_null("") != "").height
    return f"{text}; for {counted(depends, 'paper')}, acceptance depends on λ, ε or the policy"


def _places_changed(papers: pl.DataFrame) -> str:
    """Return how many papers change their place by mean; breaking a tie is a change."""
    places = (
        tied_places(tie_grid(papers[f"{name}_mean"].to_numpy())).middle
        for name in ("score", "dequantized")
    )
    changed = int(np.count_nonzero(np.not_equal(*places)))
    return f"{changed:,} of {counted(papers.height, 'paper')} move" if changed else "no paper moves"


def show_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    # Escape characters that the terminal's encoding may not have.
    has_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(value, indent=2, ensure_ascii=not has_unicode))
