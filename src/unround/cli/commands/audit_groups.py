"""unround audit groups: how the groups of a column fare in a finished run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from unround.cli.options import FOLDER, line_option, sample_option
from unround.cli.screen import out, show_json
from unround.formats.cells import counted
from unround.progress import ProgressBar

if TYPE_CHECKING:
    from unround.audit.groups.audit import GroupResult, GroupsAudit
    from unround.audit.groups.validation import GroupError
    from unround.runs.uncertainty import Accept


@click.command(
    "groups",
    short_help="How groups fare: by track, or by any column.",
    epilog="Example: unround audit groups results --by track --accept 25%",
)
@click.argument("run", type=FOLDER)
@click.option(
    "--by", required=True, metavar="COLUMN", help="The column whose values are the groups."
)
@click.option(
    "--table",
    type=FOLDER,
    help="Table that has the column beside paper, reviewer or both. Without it, the run's own tables.",
)
@line_option
@sample_option("Measure errors on N reviews of sampled papers")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def groups(
    run: Path, by: str, table: Path | None, accept: Accept, sample: int | None, as_json: bool
) -> None:
    """Tell how each group of papers, reviewers or reviews fares in the run.

    Counts, ties, moves, changes of place, papers above the line before and after, the error of
    quantization validation, the share of reviews with a ranking, and a warning where a group fares
    significantly worse than the others.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit.groups.audit import audit_groups

        audit = audit_groups(run, by, table=table, accept=accept, sample=sample, progress=stages)
    if as_json:
        show_json(audit.record())
        return
    for line in _head(audit):
        out().print(line, soft_wrap=True)
    out().print(_changes(audit))
    out().print("")
    out().print(_validations(audit))
    for line in _notes(audit):
        out().print(line, soft_wrap=True)


def _head(audit: GroupsAudit) -> Iterator[str]:
    whole = {
        "paper": "each paper is in one group",
        "reviewer": "each reviewer is in one group, papers may be in several",
        "review": "papers and reviewers may be in several groups",
    }
    yield (
        f"{counted(len(audit.groups), 'group')} by {audit.by}: {whole[audit.unit]}. "
        f"{counted(audit.accept, 'paper')} of {audit.papers:,} above the line."
    )


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column("group", overflow="fold", min_width=8)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _changes(audit: GroupsAudit) -> Table:
    """What the run changed, one row per group."""
    names = ("reviews", "ranked", "ties")
    if audit.unit != "paper":
        return _table(names, [_changes_of(found) for found in audit.groups])
    rows = [(*_changes_of(found), *_places_of(found)) for found in audit.groups]
    return _table((*names, "papers", "places", "accepted"), rows)


def _changes_of(found: GroupResult) -> tuple[str, ...]:
    return (
        f"{found.group}{' !' if found.warnings else ''}",
        f"{found.reviews:,}",
        f"{found.ranked:.0%}",
        f"{found.ties_before:.1%} → {found.ties_after:.1%}",
    )


def _places_of(found: GroupResult) -> tuple[str, ...]:
    return (
        f"{found.papers:,}",
        f"{found.places_changed:.0%} ({found.places_up:+.1f})",
        f"{found.accepted_before:.1%} → {found.accepted_after:.1%}",
    )


def _move(found: GroupResult) -> str:
    return f"{found.moved:.3f} ({found.lifted:+.3f})"


def _validations(audit: GroupsAudit) -> Table:
    """The validation of each group, one row per group."""
    rows = [(found.group, _move(found), *_errors_of(found.validation)) for found in audit.groups]
    return _table(("move", "rounded", "restored (95%)", "best λ"), rows)


def _errors_of(own: GroupError) -> tuple[str, ...]:
    if own.error is None:
        return "untold", "untold", ""
    return (
        f"{own.coarse:.4f}",
        f"{own.error:.4f} ({own.low:.4f} to {own.high:.4f})",
        f"{own.lam:.4g}",
    )


def _notes(audit: GroupsAudit) -> Iterator[str]:
    yield ""
    yield (
        "ranked: reviews with a ranking. move: mean size of a move (mean move). rounded, restored: error of "
        "quantization validation within the group, of rounded scores and as restored at the run's λ."
    )
    if audit.unit == "paper":
        yield (
            "places: papers with another place (mean change, + is up). accepted: by given scores, where "
            "papers tied across the line share the room, and now."
        )
    if audit.measured < audit.reviews:
        yield f"Errors were measured on {audit.measured:,} of {audit.reviews:,} reviews."
    yield from _warnings(audit)
    yield from _lambdas(audit)


def _warnings(audit: GroupsAudit) -> Iterator[str]:
    test = f"permutation test, {audit.deals:,} deals, 5% for all groups together"
    if not any(found.warnings for found in audit.groups):
        yield f"No group fares significantly worse than the others ({test})."
    for found in audit.groups:
        for warning in found.warnings:
            yield f"! {found.group}: {warning.sentence} (p = {warning.p_value:.3f}; {test})."


def _lambdas(audit: GroupsAudit) -> Iterator[str]:
    supported = [found for found in audit.groups if found.validation.supported]
    if not supported:
        yield f"Validation supports no other λ than the run's ({audit.lam:.4g}) for any group."
    for found in supported:
        own = found.validation
        yield (
            f"{found.group}: validation supports a λ of its own, about {own.lam:.4g} instead of "
            f"{audit.lam:.4g}: {own.gain:.0f}% less error on reviews that it was not chosen from."
        )
