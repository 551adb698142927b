"""What people see: progress while it works, a summary when it is done, errors in their words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import polars as pl
from rich.console import Console
from rich.table import Table

from unround.errors import ClusterLost, InputRefused, NotSolved, UnroundError, UsageError
from unround.formats.cells import counted
from unround.glossary import COMMAND, LAMBDA_REASONS, advice, told
from unround.issues import SHOWN_IN_FULL, Issue
from unround.scale import Scale

REFUSED, WRONG_USAGE, NOT_SOLVED = 1, 2, 3
LEAST_SHOWN = 0.0005


def out() -> Console:
    """Where results go."""
    return Console(highlight=False)


def err() -> Console:
    """Where progress and problems go."""
    return Console(stderr=True, highlight=False)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn unround's errors into messages and exit codes."""
    try:
        yield
    except InputRefused as refused:
        show_issues(refused.issues)
        raise click.exceptions.Exit(REFUSED) from None
    except UsageError as wrong:
        click.echo(f"Error: {told(str(wrong), COMMAND)}", err=True)
        raise click.exceptions.Exit(WRONG_USAGE) from None
    except (NotSolved, ClusterLost) as stopped:
        click.echo(f"Not solved: {told(str(stopped), COMMAND)}", err=True)
        raise click.exceptions.Exit(NOT_SOLVED) from None
    except UnroundError as error:
        click.echo(f"Input refused: {told(str(error), COMMAND)}", err=True)
        raise click.exceptions.Exit(REFUSED) from None


def show_issues(issues: Sequence[Issue]) -> None:
    """Print the count of each kind with what to do, and the first twenty issues in full."""
    console = err()
    counts = Counter(issue.kind for issue in issues)
    plural = "" if len(issues) == 1 else "s"
    console.print(f"{len(issues)} issue{plural} in the input", style="bold")
    for kind, count in counts.most_common():
        more = f"(more: unround help {kind})"
        console.print(f"  {count} x {kind}: {advice(kind, COMMAND)} {more}", markup=False)
    for issue in issues[:SHOWN_IN_FULL]:
        console.print(f"- {issue_line(issue)}", markup=False)
    if len(issues) > SHOWN_IN_FULL:
        rest = len(issues) - SHOWN_IN_FULL
        console.print(
            f"... and {rest} more: `unround check .. --output issues.csv` writes them all"
        )


def issue_line(issue: Issue) -> str:
    """Return one issue as one line, with file and line where known."""
    where = f" [{'; '.join(issue.where)}]" if issue.where else ""
    done = f" -> {issue.action}" if issue.action else ""
    return told(f"{issue.message}{where}{done}", COMMAND)


def scale_line(scale: Scale, origin: str) -> str:
    """Return the scale in use and its origin, with the option that changes it."""
    return f"{scale.text} ({told(origin, COMMAND)})"


def show_summary(record: dict[str, Any], papers: pl.DataFrame, where: str) -> None:
    """What a chair wants to know when a run is done."""
    console, counts, ties = out(), record["counts"], record["ties"]
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim")
    facts.add_column()
    for sentence in record["recognised"]:
        facts.add_row("read", sentence)
    for note in record["notes"]:
        facts.add_row("note", told(note, COMMAND))
    facts.add_row(
        "conference",
        f"{counted(counts['reviews'], 'review')} of {counted(counts['papers'], 'paper')} by "
        f"{counted(counts['reviewers'], 'reviewer')}, {counted(counts['comparisons'], 'comparison')}",
    )
    settings = record["settings"]
    facts.add_row("scale", scale_line(Scale(settings["scale"]), settings["scale_origin"]))
    facts.add_row(
        "ties", f"{ties['before']:.1%} of all pairs of reviews before, {ties['after']:.1%} after"
    )
    chosen = LAMBDA_REASONS.get(settings["lam"], "as given")
    facts.add_row(
        "λ", f"{record['lam']:.6g} ({chosen})" if record["lam"] != "inf" else "infinity (as given)"
    )
    facts.add_row("exact to", f"{record['certificate']['max_error']:.1e} (proven), on every score")
    kinds = Counter(issue["kind"] for issue in record["issues"])
    facts.add_row("issues", ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "none")
    facts.add_row("results", where)
    console.print(facts)
    _show_moves(console, papers)


def _show_moves(console: Console, papers: pl.DataFrame) -> None:
    """The papers whose mean moved most."""
    moved = (
        papers.with_columns(moved=pl.col("dequantized_mean") - pl.col("score_mean"))
        .sort(pl.col("moved").abs(), descending=True, maintain_order=True)
        .head(5)
    )
    if moved["moved"].abs().max() < LEAST_SHOWN:  # type: ignore[operator]
        console.print("No paper's mean moved by as much as 0.0005.")
        return
    table = Table(title="Papers that moved most", title_justify="left", box=None, padding=(0, 2))
    table.add_column("paper")
    for name in ("mean before", "mean after", "moved"):
        table.add_column(name, justify="right")
    for row in moved.iter_rows(named=True):
        label = f"{row['paper']}  {row.get('title') or ''}".strip()
        numbers = (
            f"{row['score_mean']:.3f}",
            f"{row['dequantized_mean']:.3f}",
            f"{row['moved']:+.3f}",
        )
        table.add_row(label[:60], *numbers)
    console.print(table)


def show_json(value: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
