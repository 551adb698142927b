"""unround audit: measure what a run reveals, how far reviewers could move it, and how groups fare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from rich.table import Table

from unround.cli.options import PATH, line_option, sample_option
from unround.cli.screen import err, out, show_json
from unround.formats.cells import counted
from unround.progress import ProgressBar

if TYPE_CHECKING:
    import polars as pl

    from unround.audit.groups.audit import GroupsAudit
    from unround.audit.groups.validation import GroupError
    from unround.audit.influence.audit import Influence
    from unround.audit.privacy.audit import DisclosureLeaks, PrivacyFindings
    from unround.audit.privacy.guess import GuessRates
    from unround.settings import Accept

WORST, LISTED = 5, 10
MOST_COLUMNS = 1_000  # of a terminal, for tables that are never cut


@click.group(
    "audit",
    short_help="Measure privacy, influence of reviewers, and differences of groups.",
    epilog="Example: unround audit privacy results --sample 200",
)
def command() -> None:
    """Measure what a run reveals, how far single reviewers could move its papers, and how groups fare."""


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        out().print(line, soft_wrap=True)


@command.command(
    "privacy",
    short_help="What area chairs could infer about other papers.",
    epilog="Example: unround audit privacy results --sample 200",
)
@click.argument("run", type=PATH)
@click.option(
    "--areachairs", type=PATH, help="Table of area_chair and paper (default: as in papers.csv)."
)
@sample_option("Sample N area chairs and N input changes")
@click.option(
    "--no-stars", is_flag=True, help="Assume that area chairs see no stars for other papers."
)
def privacy(run: Path, areachairs: Path | None, sample: int | None, no_stars: bool) -> None:
    """Attack the pages of a run's area chairs at every disclosure level.

    Counts the hidden scores and means that can be computed with certainty; how much better than from given
    scores and stars alone one can tell which hidden papers got the same score as one in view; and how many
    changes outside an area chair's papers show on their page: each score moved by a level, each comparison
    swapped, the run solved again.
    """
    with ProgressBar() as stages:
        from unround.audit.privacy.audit import audit_privacy
        from unround.disclosure.snapshot import read_snapshot
        from unround.report import pages

        snapshot = read_snapshot(run)
        chairs, strangers = pages.area_chairs(snapshot, areachairs, "--areachairs")
        if strangers:
            err().print(f"{strangers:,} papers in the table are not in the run")
        audit = audit_privacy(
            snapshot, chairs, stars=not no_stars, sample=sample, facts=sample, progress=stages
        )
    _print(_privacy_lines(audit))


def _privacy_lines(audit: PrivacyFindings) -> list[str]:
    count = len(audit.chairs)
    some = "" if audit.audited == count else f"; pages of {audit.audited:,} attacked"
    order = next(level for level in audit.levels if level.disclosure == "order")
    return [
        f"Area chairs: {count:,}{some}.",
        f"At the default level, they can work out {order.share:.1f}% of the hidden scores beside theirs.",
        "",
        *(line for level in audit.levels for line in _level_lines(level)),
        *_view_change_lines(audit),
    ]


def _level_lines(level: DisclosureLeaks) -> list[str]:
    scores, means, implied = (
        sum(getattr(chair, name) for chair in level.chairs)
        for name in ("scores", "means", "implied")
    )
    beside = sum(chair.neighbours for chair in level.chairs)
    lines = [
        f"{level.disclosure}: {level.certain:,} of {beside:,} hidden scores can be worked out "
        f"({scores:,} computed from digits, {implied:,} implied by the order), "
        f"and {means:,} means of hidden papers",
    ]
    if level.guess is not None:
        lines += _guess_lines(level.guess)
    worst = level.worst(WORST)
    if worst:
        lines.append(
            "  most: " + ", ".join(f"{chair.area_chair} ({chair.certain})" for chair in worst)
        )
    return lines


def _guess_lines(guess: GuessRates) -> list[str]:
    picked, loss = guess.picked, guess.loss
    displaced = (
        f"{one.same:.1%} of {one.neighbours:,}, expected {one.expected:.1%}, {which}"
        for one, which in (
            (guess.towards, "if the paper moved as it would push"),
            (guess.against, "if it moved the other way"),
        )
        if one.neighbours
    )
    return [
        f"  which of two hidden papers got the same score as one in view, picked right: {picked.after:.1%}; "
        f"from given scores and stars alone: {picked.before:.1%} (90% interval of the difference: "
        f"{100 * picked.low:+.1f} to {100 * picked.high:+.1f} points)",
        f"  log-loss: {loss.after:.4f}; from given scores and stars alone: {loss.before:.4f} "
        f"({loss.low:+.4f} to {loss.high:+.4f})",
        *(f"  the hidden paper got the same score: {line}" for line in displaced),
    ]


def _view_change_lines(audit: PrivacyFindings) -> list[str]:
    changes = audit.view_changes
    pairs = int(changes.hidden.sum())

    def share(count: int) -> str:
        return f"{count:,} ({count / pairs:.1%})" if pairs else "0"

    worst = np.argsort(-changes.order, kind="stable")[:WORST].tolist()
    named = [
        f"{audit.chairs[one].name} ({changes.order[one]})" for one in worst if changes.order[one]
    ]
    return [
        "",
        f"Hidden facts that change the page: {changes.facts:,} facts changed one by one, {pairs:,} times "
        "hidden from an area chair.",
        f"  exact: {share(int(changes.exact.sum()))} change a digit on the page; order: "
        f"{share(int(changes.order.sum()))} change a place; scoped: none, by construction.",
        *([f"  most places changed: {', '.join(named)}"] if named else []),
    ]


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
@sample_option("Measure errors on N reviews of sampled papers")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def groups(
    run: Path, by: str, table: Path | None, accept: Accept, sample: int | None, as_json: bool
) -> None:
    """Report how each group of papers, reviewers or reviews fares in the run.

    Prints counts, ties, moves, changes of place, acceptance before and after, the error of quantization
    validation and the share of reviews with a ranking, and warns where a group fares significantly worse
    than the others.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit.groups.audit import audit_groups
        from unround.runs.saved import load

        found = load(run)
        audit = audit_groups(found, by, table=table, accept=accept, sample=sample, progress=stages)
    if as_json:
        show_json(audit.record())
        return
    in_one_group = {
        "paper": "each paper is in one group",
        "reviewer": "each reviewer is in one group, papers may be in several",
        "review": "papers and reviewers may be in several groups",
    }
    _print(
        [
            f"{counted(len(audit.groups), 'group')} by {audit.by}: {in_one_group[audit.unit]}. "
            f"{counted(audit.accept, 'paper')} of {audit.papers:,} above the line."
        ]
    )
    _print_whole(_group_changes(audit))
    out().print()
    _print_whole(_group_validations(audit))
    _print(_group_notes(audit))


def _print_whole(table: Table) -> None:
    """Print a table at its full width: a narrow terminal wraps its lines, and no column is lost."""
    screen = out()
    wide = screen.options.update(width=MOST_COLUMNS)
    screen.width = max(screen.width, screen.measure(table, options=wide).maximum)
    screen.print(table)


def _group_table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column("group", overflow="fold", min_width=8)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _group_changes(audit: GroupsAudit) -> Table:
    """Tabulate what the run changed, one row per group."""
    columns = ["reviews", "ranked", "ties"]
    rows = [
        [
            f"{one.group}{' !' if one.warnings else ''}",
            *(f"{one.reviews:,}", f"{one.ranked:.0%}"),
            f"{one.ties_before:.1%} → {one.ties_after:.1%}",
        ]
        for one in audit.groups
    ]
    if audit.unit == "paper":
        columns += ["papers", "places", "accepted"]
        for row, one in zip(rows, audit.groups, strict=True):
            places = f"{one.places_changed:.0%} ({one.places_up:+.1f})"
            row += [
                f"{one.papers:,}",
                places,
                f"{one.accepted_before:.1%} → {one.accepted_after:.1%}",
            ]
    return _group_table(columns, rows)


def _group_validations(audit: GroupsAudit) -> Table:
    """Tabulate moves and validation errors, one row per group."""
    rows = [
        (one.group, f"{one.moved:.3f} ({one.lifted:+.3f})", *_errors_of(one.validation))
        for one in audit.groups
    ]
    return _group_table(("move", "rounded", "restored (95%)", "best λ"), rows)


def _errors_of(error: GroupError) -> tuple[str, ...]:
    if error.error is None:
        return "unknown", "unknown", ""
    return (
        f"{error.coarse:.4f}",
        f"{error.error:.4f} ({error.low:.4f} to {error.high:.4f})",
        f"{error.lam:.4g}",
    )


def _group_notes(audit: GroupsAudit) -> Iterator[str]:
    yield ""
    yield (
        "ranked: reviews with a ranking. move: mean size of a move (mean move). rounded, restored: error of "
        "quantization validation within the group, of rounded and of restored scores at the run's λ."
    )
    if audit.unit == "paper":
        yield (
            "places: papers whose place changed (mean change, + is up). accepted: before and after; papers "
            "tied across the line share the remaining room."
        )
    if audit.measured < audit.reviews:
        yield f"Errors were measured on {audit.measured:,} of {audit.reviews:,} reviews."
    test = f"permutation test, {audit.deals:,} permutations, 5% for all groups together"
    if not any(one.warnings for one in audit.groups):
        yield f"No group fares significantly worse than the others ({test})."
    for one in audit.groups:
        for warning in one.warnings:
            yield f"! {one.group}: {warning.sentence} (p = {warning.p_value:.3f}; {test})."
    supported = [one for one in audit.groups if one.validation.supported]
    if not supported:
        yield f"For no group does validation support another λ than the run's ({audit.lam:.4g})."
    for one in supported:
        lam, gain = one.validation.lam, one.validation.gain
        yield (
            f"{one.group}: validation supports another λ, about {lam:.4g} instead of {audit.lam:.4g}: "
            f"{gain:.0f}% less error on held-out reviews."
        )


@command.command(
    "influence",
    short_help="How far single reviewers could move papers.",
    epilog="Example: unround audit influence results --authors authors.csv --sample 500",
)
@click.argument("run", type=PATH)
@click.option(
    "--authors",
    type=PATH,
    help="Table of paper and author, to find reviewers who could lift their own paper.",
)
@line_option
@sample_option("Sample N reviewers")
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
def influence(
    run: Path, authors: Path | None, accept: Accept, sample: int | None, as_json: bool
) -> None:
    """Measure how far each reviewer alone could move the papers they read.

    Solves two changes of each review, with everybody else's as they are and at the run's λ: a level up
    and first in its reviewer's list, and a level down and last. Beside them are a limit that no change
    exceeds by which each of the reviewer's scores moves by at most one level, and the same for plain
    means of given scores.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit.influence.audit import audit_influence
        from unround.audit.influence.authors import read_authors
        from unround.disclosure.snapshot import read_snapshot

        snapshot = read_snapshot(run)
        written = None if authors is None else read_authors(authors)
        result = audit_influence(
            snapshot, authors=written, sample=sample, accept=accept, progress=stages
        )
        if result.authors is not None and not result.authors:
            err().print(
                "No author in the table is a reviewer tried here with a paper of this run: are the names "
                "the same in both?",
            )
    if as_json:
        show_json(result.record())
        return
    _print(_influence_lines(result))


def _influence_lines(result: Influence) -> list[str]:
    reviewers = result.by_reviewer()
    some = "all tried" if result.tried == result.reviewers else f"{result.tried:,} tried"
    return [
        f"Reviewers: {result.reviewers:,}, {some}. λ {result.lam:.4g}, conflicts {result.policy}.",
        "Each review was changed alone: a level up and first in its reviewer's list, or a level down "
        "and last.",
        f"In {result.turning():.1f}% of the reviews (by any change at most "
        f"{result.turning('turns_limit'):.1f}%) this moves the paper across the line "
        f"({result.above:,} of {result.papers:,} papers are above it); under plain means in "
        f"{result.turning('plain_turns'):.1f}%.",
        "",
        *_spread_lines(reviewers),
        "",
        "Reviews that matter most:",
        *(_review_line(row) for row in result.most_hangs_on(LISTED).iter_rows(named=True)),
        "",
        "Reviewers who could move a mean most:",
        *(_reviewer_line(row) for row in reviewers.head(WORST).iter_rows(named=True)),
        *_author_lines(result),
    ]


def _spread_lines(reviewers: pl.DataFrame) -> list[str]:
    def both(name: str, form: str) -> str:
        values = reviewers[name].to_numpy()
        return f"{np.median(values):{form}} (largest {values.max():{form}})"

    return [
        "Furthest that one reviewer can move a paper, median over reviewers:",
        f"  its mean: {both('move', '.3f')}; by any change at most {both('limit', '.3f')}; "
        f"under plain means {both('plain', '.3f')}",
        f"  its place: {both('places', ',.0f')}; by any change at most "
        f"{both('places_limit', ',.0f')}; under plain means {both('plain_places', ',.0f')}",
    ]


def _review_line(row: dict[str, Any]) -> str:
    way, sign = ("down", "−") if row["move_down"] > row["move_up"] else ("up", "+")
    return (
        f"  reviewer {row['reviewer']} on paper {row['paper']} (score {row['score']}): "
        f"mean {row['mean']:.3f} {sign}{row['hangs']:.3f}, place {row['place']:,} → "
        f"{row[f'place_to_{way}']:,}"
    )


def _reviewer_line(row: dict[str, Any]) -> str:
    return (
        f"  {row['reviewer']}: a mean by {row['move']:.3f} (at most {row['limit']:.3f}), a place by "
        f"{row['places']:,} (at most {row['places_limit']:,}); plain means {row['plain']:.3f}, "
        f"{row['plain_places']:,}; {row['turns']} of {row['papers']} papers across the line"
    )


def _author_lines(result: Influence) -> list[str]:
    if not result.authors:
        return []
    gains = sorted(result.authors, key=lambda one: (one.place_to - one.place, str(one.reviewer)))
    crossing = sum(one.crosses for one in result.authors)
    plainly = sum(one.plain_crosses for one in result.authors)
    own = sum(one.reviews_it for one in result.authors)
    return [
        "",
        f"Reviewers who are authors: {len(result.authors):,} papers. {crossing:,} could be lifted above the "
        f"line by a change of one of their authors' reviews; under plain means {plainly:,}.",
        *(
            f"  {one.reviewer} for paper {one.paper}: place {one.place:,} → {one.place_to:,} (at best "
            f"{one.place_limit:,}), mean +{one.lift:.4f}; could push {counted(one.sinks, 'paper')} below the "
            f"line; plain means: {one.plain_place:,} → {one.plain_to:,}, {one.plain_sinks} pushed below"
            for one in gains[:WORST]
        ),
        *([f"  {own:,} of them are reviewed by their own authors."] if own else []),
    ]
