"""unround audit: what a run gives away, what reviewers could have made of it, how groups fare in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from unround.cli.commands.audit_groups import groups
from unround.cli.commands.audit_influence import influence
from unround.cli.options import FOLDER, sample_option
from unround.cli.screen import err, out
from unround.progress import ProgressBar

if TYPE_CHECKING:
    from unround.audit.privacy.audit import DisclosureLeaks, PrivacyFindings

WORST = 5


@click.group(
    "audit",
    short_help="Measure what a run gives away, who could move it, and how groups fare.",
    epilog="Example: unround audit privacy results --sample 200",
)
def command() -> None:
    """Measure what a run gives away, how far reviewers could move its papers, and how groups fare."""


command.add_command(groups)
command.add_command(influence)


@command.command(
    "privacy",
    short_help="What area chairs could find out about papers that are not theirs.",
    epilog="Example: unround audit privacy results --sample 200",
)
@click.argument("run", type=FOLDER)
@click.option(
    "--areachairs",
    type=FOLDER,
    help="Table of area_chair and paper: whose papers are whose. Without it, as papers.csv has it.",
)
@sample_option("Sample N area chairs and N input changes")
@click.option("--no-stars", is_flag=True, help="Area chairs do not see stars for other papers.")
def privacy(run: Path, areachairs: Path | None, sample: int | None, no_stars: bool) -> None:
    """Attack the pages of the run's area chairs at every disclosure level.

    Counts hidden scores and means of papers that can be computed with certainty, how much better a
    hidden score is guessed than from given scores and stars, and how many facts outside a scope leave
    a trace in it: each score moved by a level, each comparison swapped, and the run solved again.
    """
    with ProgressBar() as stages:
        from unround.audit.privacy.audit import audit_privacy
        from unround.disclosure.snapshot import read_snapshot
        from unround.report import pages

        snapshot = read_snapshot(run)
        chairs, strangers = pages.area_chairs(snapshot, areachairs, "--areachairs")
        if strangers:
            err().print(f"{strangers:,} papers of the table are not in the run")
        audit = audit_privacy(
            snapshot, chairs, stars=not no_stars, sample=sample, facts=sample, progress=stages
        )
    for line in _lines(audit):
        out().print(line, soft_wrap=True)


def _lines(audit: PrivacyFindings) -> list[str]:
    count = len(audit.chairs)
    some = "" if audit.audited == count else f", the pages of {audit.audited:,} were attacked"
    order = next(level for level in audit.levels if level.disclosure == "order")
    return [
        f"Area chairs: {count:,}{some}.",
        f"With the default, {order.share:.1f}% of hidden scores beside theirs are known for sure.",
        "",
        *(line for level in audit.levels for line in _level_lines(level)),
        *_trace_lines(audit),
    ]


def _level_lines(level: DisclosureLeaks) -> list[str]:
    scores, means, implied = (
        sum(getattr(chair, name) for chair in level.chairs)
        for name in ("scores", "means", "implied")
    )
    beside = sum(chair.neighbours for chair in level.chairs)
    lines = [
        f"{level.disclosure}: {level.certain:,} of {beside:,} hidden scores known for sure "
        f"({scores:,} computed from digits, {implied:,} implied by the order), "
        f"{means:,} means of hidden papers computed",
    ]
    if level.guess.neighbours:
        lines.append(
            f"  guessed right: {level.guess.accuracy:.1%}, from given scores and stars alone "
            f"{level.guess.baseline:.1%} ({level.guess.gain:+.1f} points)"
        )
    worst = level.worst(WORST)
    if worst:
        lines.append(
            "  most: " + ", ".join(f"{chair.area_chair} ({chair.certain})" for chair in worst)
        )
    return lines


def _trace_lines(audit: PrivacyFindings) -> list[str]:
    found = audit.view_changes
    pairs = int(found.hidden.sum())

    def share(count: int) -> str:
        return f"{count:,} ({count / pairs:.1%})" if pairs else "0"

    worst = np.argsort(-found.order, kind="stable")[:WORST].tolist()
    named = [f"{audit.chairs[one].name} ({found.order[one]})" for one in worst if found.order[one]]
    return [
        "",
        f"Traces: {found.facts:,} facts changed one by one, {pairs:,} times hidden from an area chair.",
        f"  exact: {share(int(found.exact.sum()))} change a digit in that view; order: "
        f"{share(int(found.order.sum()))} change a place; scoped: none, nothing outside enters.",
        f"  {found.seen_exact:,} facts show somewhere in digits, {found.seen_order:,} in places.",
        *([f"  most places: {', '.join(named)}"] if named else []),
    ]
