"""unround audit influence: how far single reviewers could move papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from unround.cli.options import FOLDER, line_option, sample_option
from unround.cli.screen import err, out, show_json
from unround.formats.cells import counted
from unround.progress import ProgressBar

if TYPE_CHECKING:
    import polars as pl

    from unround.audit.influence.audit import Influence
    from unround.audit.influence.authors import Authored
    from unround.runs.uncertainty import Accept

WORST = 5
LISTED = 10


@click.command(
    "influence",
    short_help="How far single reviewers could move papers by their scores and rankings.",
    epilog="Example: unround audit influence results --authors authors.csv --sample 500",
)
@click.argument("run", type=FOLDER)
@click.option(
    "--authors",
    type=FOLDER,
    help="Table of paper and author, authors named as reviewers are: who could lift their own paper.",
)
@line_option
@sample_option("Sample N reviewers")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print everything about every reviewer and review as JSON.",
)
def influence(
    run: Path, authors: Path | None, accept: Accept, sample: int | None, as_json: bool
) -> None:
    """Try what every reviewer could have said instead, and how far that moves their papers.

    The moves tried: each own score as it is, a level higher or a level lower, in any combination, with any
    ranking of the own papers, ties allowed. λ stays as the run has it. With up to 6 papers per reviewer
    that is the worst case for means, exactly; with more, the furthest that was found and a bound. Places are
    exact in small conferences, and otherwise the furthest found, with a bound. Beside it stands what the same
    freedom does under plain means, which shows what rankings add.
    """
    with ProgressBar(quiet=as_json) as stages:
        from unround.audit.influence.audit import audit_influence
        from unround.audit.influence.authors import read_authors
        from unround.disclosure.snapshot import read_snapshot

        snapshot = read_snapshot(run)
        written = None if authors is None else read_authors(authors)
        found = audit_influence(
            snapshot, authors=written, sample=sample, accept=accept, progress=stages
        )
        if found.authors is not None and not found.authors:
            err().print(
                "no author of the table is among the reviewers tried, with a paper of this run: "
                "are they named alike in both?",
            )
    if as_json:
        show_json(_record(found))
        return
    for line in _lines(found):
        out().print(line, soft_wrap=True)


def _lines(found: Influence) -> list[str]:
    reviewers = found.by_reviewer()
    some = "all tried" if found.tried == found.reviewers else f"{found.tried:,} tried"
    exact = int(reviewers["exact"].sum())
    searched = (
        "every ranking tried"
        if exact == reviewers.height
        else f"every ranking tried for {exact:,}, some for the others"
    )
    least, most = (found.turning(kind) for kind in ("turns", "turns_limit"))
    turning = _found(f"{least:.1f}%", f"{most:.1f}%", exact=least == most)
    return [
        f"Reviewers: {found.reviewers:,}, {some}; {searched}. λ {found.lam:.4g}, conflicts {found.policy}.",
        f"At the line ({found.above:,} of {found.papers:,} papers above it), "
        f"{turning} of the reviews could turn their paper alone; "
        f"under plain means {found.turning('plain_turns'):.1f}%.",
        "",
        *_spread_lines(reviewers),
        "",
        "Most hangs on these reviews (one score a level on, all else as it is):",
        *(_review_line(row) for row in found.most_hangs_on(LISTED).iter_rows(named=True)),
        "",
        "Reviewers who could move a mean most:",
        *(_reviewer_line(row) for row in reviewers.head(WORST).iter_rows(named=True)),
        *_author_lines(found),
    ]


def _spread_lines(reviewers: pl.DataFrame) -> list[str]:
    def both(name: str, form: str) -> str:
        values = reviewers[name].drop_nans().to_numpy()
        if not values.size:
            return "none"
        return f"{np.median(values):{form}} (largest {values.max():{form}})"

    return [
        "The furthest that a reviewer could move the mean of a paper, median over reviewers:",
        f"  scores and ranking together {both('together', '.3f')}; under plain means "
        f"{both('plain', '.3f')}",
        f"  one score alone {both('score', '.3f')}; the ranking alone {both('ranking', '.3f')}",
        f"  places: {both('places', ',.0f')}; under plain means {both('plain_places', ',.0f')}",
    ]


def _review_line(row: dict[str, Any]) -> str:
    way = "down" if _number(row["score_down"]) > _number(row["score_up"]) else "up"
    sign, place = "+" if way == "up" else "−", row[f"score_place_{way}"]
    return (
        f"  reviewer {row['reviewer']} on paper {row['paper']} (score {row['score']}): "
        f"mean {row['mean']:.3f} {sign}{row['hangs']:.3f}, place {row['place']:,} → {place:,}"
    )


def _number(value: float | None) -> float:
    return -1.0 if value is None or value != value else value


def _reviewer_line(row: dict[str, Any]) -> str:
    mean = _found(f"{row['together']:.3f}", f"{row['limit']:.3f}", row["exact"])
    places = _found(
        f"{row['places']:,}", f"{row['places_limit']:,}", row["places"] == row["places_limit"]
    )
    return (
        f"  {row['reviewer']}: a mean by {mean}, a place by {places} "
        f"(plain means: {row['plain']:.3f}, {row['plain_places']:,}), "
        f"{row['turns']} of {row['papers']} papers across the line"
    )


def _found(value: str, limit: str, exact: bool) -> str:
    """Return a number that is exact, or the furthest found with its bound."""
    return value if exact else f"at least {value} (at most {limit})"


def _author_lines(found: Influence) -> list[str]:
    if not found.authors:
        return []
    gains = sorted(found.authors, key=lambda one: (one.place_to - one.place, str(one.reviewer)))
    crossing = sum(one.crosses for one in found.authors)
    plainly = sum(one.plain_crosses for one in found.authors)
    own = sum(one.reviews_it for one in found.authors)
    return [
        "",
        f"Reviewers with papers of their own: {len(found.authors):,} papers. {crossing:,} could be "
        f"brought above the line by what their authors say of others; under plain means {plainly:,}.",
        *(_author_line(one) for one in gains[:WORST]),
        *([f"  {own:,} of them are reviewed by their own authors."] if own else []),
    ]


def _author_line(one: Authored) -> str:
    return (
        f"  {one.reviewer} for paper {one.paper}: place {one.place:,} → {one.place_to:,} (at best "
        f"{one.place_bound:,}), mean +{one.lift:.4f}; could sink {counted(one.sinks, 'paper')} below the "
        f"line; plain means: {one.plain_place:,} → {one.plain_to:,}, {one.plain_sinks} sunk"
    )


def _record(found: Influence) -> dict[str, Any]:
    from dataclasses import asdict

    import polars as pl

    def rows(table: pl.DataFrame) -> list[dict[str, Any]]:
        return table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()

    return {
        "reviewers": found.reviewers,
        "tried": found.tried,
        "papers": found.papers,
        "above": found.above,
        "lam": found.lam if found.lam != float("inf") else "inf",
        "conflicts": found.policy,
        "turning": found.turning(),
        "turning_limit": found.turning("turns_limit"),
        "plain_turning": found.turning("plain_turns"),
        "by_reviewer": rows(found.by_reviewer()),
        "reviews": rows(found.most_hangs_on(found.reviews.height)),
        "authors": None if found.authors is None else [asdict(one) for one in found.authors],
    }
