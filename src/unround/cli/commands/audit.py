"""unround audit: measure what a run reveals, how far reviewers could move it, and how groups fare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from unround.cli.options import PATH, line_option, sample_option
from unround.cli.screen import err, out, show_json
from unround.formats.cells import counted
from unround.progress import ProgressBar

if TYPE_CHECKING:
    import polars as pl

    from unround.audit.groups.audit import GroupsAudit
    from unround.audit.influence.audit import Influence
    from unround.audit.privacy.audit import PrivacyFindings
    from unround.settings import Accept

WORST, LISTED = 5, 10
MOST_COLUMNS = 1_000  # of a terminal, for tables that are never cut
PLACES = ("places", "places_limit", "plain_places")


@click.group(
    "audit",
    short_help="Measure privacy, influence of reviewers, and differences of groups.",
    epilog="Example: unround audit privacy results --sample 200",
)
def command() -> None:
    """Measure what a run reveals, how far single reviewers could move its papers, and how groups fare."""


def _print(parts: Iterable[str | Table]) -> None:
    """Print lines, and tables at their full width: a narrow terminal wraps them, and no column is lost."""
    for part in parts:
        screen = out()
        if isinstance(part, Table):
            wide = screen.options.update(width=MOST_COLUMNS)
            screen.width = max(screen.width, screen.measure(part, options=wide).maximum)
        screen.print(part, soft_wrap=isinstance(part, str))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table whose first column may be folded."""
    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column(columns[0], overflow="fold", min_width=8)
    for name in columns[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(str, row))
    return table


@command.command(
    "privacy",
    short_help="What area chairs could infer about other papers.",
    epilog="Example: unround audit privacy results --sample 200",
)
@click.argument("run", type=PATH)
@click.option(
    "--areachairs", type=PATH, help="Table of area_chair and paper (default: as in papers.csv)."
)
@sample_option("Sample N area chairs")
@click.option(
    "--no-stars", is_flag=True, help="Assume that area chairs see no stars for other papers."
)
def privacy(run: Path, areachairs: Path | None, sample: int | None, no_stars: bool) -> None:
    """Attack the pages of a run's area chairs at every disclosure level.

    Counts the hidden scores and means that can be computed with certainty.
    """
    with ProgressBar() as stages:
        from unround.audit import audit_privacy

        found = audit_privacy(run, areachairs, stars=not no_stars, sample=sample, progress=stages)
    if found.strangers:
        err().print(f"{found.strangers:,} papers in the table are not in the run")
    _print(_privacy_parts(found))


def _privacy_parts(found: PrivacyFindings) -> Iterator[str | Table]:
    some = "" if found.audited == found.area_chairs else f"; pages of {found.audited:,} attacked"
    order = next(level for level in found.levels if level.disclosure == "order")
    yield f"Area chairs: {found.area_chairs:,}{some}."
    yield (
        f"At the default level, they can work out {order.certain_share:.1f}% of the hidden scores "
        "beside theirs."
    )
    yield ""
    columns = ("level", "scores worked out", "means worked out")
    rows = (
        (
            level.disclosure,
            f"{level.certain:,} of {level.neighbours:,} ({level.certain_share:.1f}%)",
            f"{level.means:,}",
        )
        for level in found.levels
    )
    yield _table(columns, rows)


@command.command(
    "groups",
    short_help="How groups fare, by track or any other column.",
    epilog="Example: unround audit groups results --by track --accept 25%",
)
@click.argument("run", type=PATH)
@click.option("--by", required=True, metavar="COLUMN", help="Column whose values are the groups.")
@click.option(
    "--table",
    type=PATH,
    help="Table of the column with paper, reviewer or both (default: the run's tables).",
)
@line_option
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def groups(run: Path, by: str, table: Path | None, accept: Accept, as_json: bool) -> None:
    """Report how each group of papers, reviewers or reviews fares in the run.

    Of each group: the share of its reviews that were ranked; tied pairs of reviews, before and after; papers
    whose place changed (mean change, + is up); papers above the line, before and after, where tied papers
    share the remaining room; the mean size of a move (mean move); and the error of quantization validation
    within the group, of rounded scores and of those restored at the run's λ. Warns of a group that fares
    significantly worse than the others.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit import audit_groups

        found = audit_groups(run, by, table=table, accept=accept, progress=stages)
    if as_json:
        show_json(found.record())
    else:
        _print(_groups_parts(found))


IN_ONE_GROUP = {
    "paper": "each paper is in one group",
    "reviewer": "each reviewer is in one group, papers may be in several",
    "review": "papers and reviewers may be in several groups",
}


def _groups_parts(found: GroupsAudit) -> Iterator[str | Table]:
    yield (
        f"{counted(len(found.groups), 'group')} by {found.by}: {IN_ONE_GROUP[found.unit]}. "
        f"{counted(found.accept, 'paper')} of {found.papers:,} above the line."
    )
    columns, changes, errors = ["group", "reviews", "ranked", "ties"], [], []
    if found.unit == "paper":
        columns += ["papers", "places", "accepted"]
    for one in found.groups:
        name = f"{one.group}{' !' if one.warnings else ''}"
        ties = f"{one.ties_before:.1%} → {one.ties_after:.1%}"
        changes.append([name, f"{one.reviews:,}", f"{one.ranked:.0%}", ties])
        if found.unit == "paper":
            places = f"{one.places_changed:.0%} ({one.places_up:+.1f})"
            accepted = f"{one.accepted_before:.1%} → {one.accepted_after:.1%}"
            changes[-1] += [f"{one.papers:,}", places, accepted]
        error, cells = one.validation, ("unknown", "unknown")
        if error.error is not None:
            interval = f"({error.low:.4f} to {error.high:.4f})"
            cells = (f"{error.coarse:.4f}", f"{error.error:.4f} {interval}")
        errors.append((one.group, f"{one.moved:.3f} ({one.lifted:+.3f})", *cells))
    yield _table(columns, changes)
    yield ""
    yield _table(("group", "move", "rounded", "restored (95%)"), errors)
    yield ""
    yield from found.sentences()


@command.command(
    "influence",
    short_help="How far single reviewers could move papers.",
    epilog="Example: unround audit influence results --sample 500",
)
@click.argument("run", type=PATH)
@line_option
@sample_option("Sample N reviewers")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def influence(run: Path, accept: Accept, sample: int | None, as_json: bool) -> None:
    """Measure how far each reviewer alone could move the papers they read.

    Solves two changes of each review, with everybody else's as they are and at the run's λ: a level up
    and first in its reviewer's list, and a level down and last. Beside them are a limit that no change
    exceeds by which each of the reviewer's scores moves by at most one level, and the same for plain
    means of given scores.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit import audit_influence

        found = audit_influence(run, accept=accept, sample=sample, progress=stages)
    if as_json:
        show_json(found.record())
    else:
        _print(_influence_parts(found))


def _influence_parts(found: Influence) -> Iterator[str | Table]:
    some = "all tried" if found.tried == found.reviewers else f"{found.tried:,} tried"
    yield f"Reviewers: {found.reviewers:,}, {some}. λ {found.lam:.4g}, conflicts {found.policy}."
    yield (
        "Each review was changed alone: a level up and first in its reviewer's list, or a level down "
        "and last."
    )
    yield (
        f"In {found.turning():.1f}% of the reviews (by any change at most "
        f"{found.turning('turns_limit'):.1f}%) this moves the paper across the line "
        f"({found.above:,} of {found.papers:,} papers are above it); under plain means in "
        f"{found.turning('plain_turns'):.1f}%."
    )
    yield "\nFurthest that one reviewer can move a paper, median over reviewers (largest):"
    yield _table(
        ("", "this change", "any change, at most", "plain means"),
        (
            ("mean", *(found.spread(name, ".3f") for name in ("move", "limit", "plain"))),
            ("places", *(found.spread(name, ",.0f") for name in PLACES)),
        ),
    )
    yield "\nReviews that matter most:"
    columns = ["reviewer", "paper", "score", "mean", "mean_to", "place", "place_to"]
    yield _table(columns, _cells(found.most_hangs_on(LISTED), columns))
    yield "\nReviewers who could move a mean most:"
    columns = ["reviewer", "move", "limit", "plain", *PLACES, "turns", "papers"]
    names = ("reviewer", "mean", "at most", "plain", "places", "at most", "plain", "across", "of")
    yield _table(names, _cells(found.by_reviewer().head(WORST), columns))


def _cells(rows: pl.DataFrame, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for row in rows.select(columns).iter_rows():
        yield tuple(f"{one:.3f}" if isinstance(one, float) else str(one) for one in row)
