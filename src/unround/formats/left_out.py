"""Leave out what does not count: papers out of the running, statements on reviews without a score.

What the files cannot tell of these is noted here, for every kind and system alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.ids import ROLES
from unround.formats.model import FileContent, Options, Sheet, filter_rows
from unround.wording import option

KEY = ("reviewer", "paper")
FEW = 10  # of so many papers one may hide its ranks: of more, people leave papers unranked


def withdrawn_papers(parts: Sequence[FileContent], sheets: Sequence[Sheet]) -> dict[str, str]:
    """Return why papers are out of the running, as files or their decisions say."""
    reasons: dict[str, str] = {}
    for part in parts:
        reasons |= part.withdrawn or {}
    for sheet in sheets:
        reasons |= _out_by_decision(sheet.table)
    return reasons


def _out_by_decision(table: pl.DataFrame) -> dict[str, str]:
    """Return why papers are out of the running, where that stands among the decisions."""
    if "decision" not in table.columns:
        return {}
    decision = pl.col("decision").cast(pl.String).str.to_lowercase()
    out = decision.str.extract(r"^(withdrawn|desk\W?reject)").str.replace(
        "^desk.*", "desk-rejected"
    )
    papers = table.select(pl.col("paper").cast(pl.String), reason=out)
    return dict(papers.filter(pl.col("reason").is_not_null().all().over("paper")).rows())


def without_withdrawn(
    sheets: Sequence[Sheet], reasons: Mapping[str, str]
) -> tuple[list[Sheet], list[str]]:
    """Return reviews and rankings without withdrawn papers, and notes on the reviews left out."""
    if not reasons:
        return list(sheets), []
    papers = sheets[0].table["paper"].cast(pl.String).to_list()
    notes = [
        _withdrawn_note(reason, [paper for paper in papers if reasons.get(paper) == reason])
        for reason in dict.fromkeys(reasons[paper] for paper in papers if paper in reasons)
    ]
    return [_filtered(sheet, reasons) for sheet in sheets], notes


def _withdrawn_note(reason: str, papers: Sequence[str]) -> str:
    """Describe the reviews left out for one reason; `papers` has an entry for each review."""
    names = list(dict.fromkeys(papers))
    which = f"{len(names):,} {reason} paper{'s' if len(names) > 1 else ''} ({listed(names)})"
    kept = f"{option('keep_withdrawn')} counts them"
    return f"{counted(len(papers), 'review')} of {which} left out; {kept}"


def _filtered(sheet: Sheet, reasons: Mapping[str, str]) -> Sheet:
    named = pl.any_horizontal(
        pl.col(name).cast(pl.String).is_in(list(reasons)) for name in _paper_columns(sheet)
    )
    return filter_rows(sheet, ~sheet.table.select(named.fill_null(value=False)).to_series())


def _paper_columns(sheet: Sheet) -> list[str]:
    return [name for name in ROLES["paper"] if name in sheet.table.columns]


def _keys(sheet: Sheet) -> list[pl.DataFrame]:
    """Return the reviewer and paper of each row, once for each column of papers."""
    reviewer, papers = pl.col("reviewer").cast(pl.String), _paper_columns(sheet)
    return [sheet.table.select(reviewer, paper=pl.col(name).cast(pl.String)) for name in papers]


def without_uncounted(
    statements: Sequence[Sheet], reviews: Sheet, uncounted: Sheet | None
) -> tuple[list[Sheet], list[str]]:
    """Return statements without those on reviews that do not count, and notes on these.

    Such a statement is no contradiction: the reviewer wrote the review, or was to write it.
    """
    if uncounted is None:
        return list(statements), []
    known = _keys(uncounted)[0].with_columns(uncounted.table["reason"])
    known = known.unique(KEY, keep="last").join(_keys(reviews)[0], on=KEY, how="anti")
    rest, notes = list[Sheet](), list[str]()
    for sheet in statements:
        found = [
            keys.join(known, on=KEY, how="left", maintain_order="left") for keys in _keys(sheet)
        ]
        kept = pl.select(pl.all_horizontal([table["reason"].is_null() for table in found]))
        rest.append(filter_rows(sheet, kept.to_series()))
        what = "ranks of" if "rank" in sheet.table.columns else "comparisons with"
        about = pl.concat(found).drop_nulls("reason").unique(maintain_order=True)
        for (reason,), gone in about.group_by("reason", maintain_order=True):
            names = [f"paper {paper} by {person}" for person, paper, _ in gone.rows()]
            notes.append(f"{what} {counted(len(names), str(reason))} set aside: {listed(names, 3)}")
    return rest, notes


def untold(parts: Sequence[FileContent], options: Options) -> list[str]:
    """Return the note on what the reviews do not say and no other file does."""
    reviews = [part for part in parts if part.reviews is not None]
    out = {} if options.keep_withdrawn else dict.fromkeys(part.withdrawn_in for part in reviews)
    if any(part.withdrawn is not None for part in parts):
        out = {}
    meta = dict.fromkeys(part.meta_reviews_in for part in reviews)
    asked = {"which papers are withdrawn or desk-rejected": out}
    if all(part.context.meta_reviews is None for part in parts):
        asked = {"which reviews are meta-reviews": meta, **asked}
    unsaid = [f"{what} ({file} would)" for what, files in asked.items() for file in files if file]
    return [f"No file says {' or '.join(unsaid)}. All of them count"] if unsaid else []


def unlisted(reviews: Sheet, described: Sequence[Sheet]) -> list[str]:
    """Return the note on papers with reviews that are in none of the lists of papers."""
    papers = reviews.table["paper"].cast(pl.String).unique(maintain_order=True)
    missing = papers.filter(~_is_listed(papers, described))
    if missing.len() in (0, papers.len()):
        return []
    which = f"with reviews {'is' if missing.len() == 1 else 'are'} in no list of papers"
    advice = "If withdrawn papers are not in the list, export that of all papers"
    return [f"{counted(missing.len(), 'paper')} {which} ({listed(missing.to_list())}). {advice}"]


def _is_listed(papers: pl.Series, described: Sequence[Sheet]) -> pl.Series:
    """Return which papers are in any of the lists of papers; all of them if there is none."""
    lists = [sheet.table["paper"].cast(pl.String) for sheet in described]
    return papers.is_in(pl.concat(lists or [papers]).implode())


def hidden_ranks(
    reviews: Sheet, statements: Sequence[Sheet], described: Sequence[Sheet]
) -> list[str]:
    """Return the note on the few papers that nobody ranks of those who reviewed them and rank others."""
    if not statements:
        return []
    ranked = pl.concat(keys for sheet in statements for keys in _keys(sheet))
    by_rankers = _keys(reviews)[0].join(ranked, on="reviewer", how="semi")
    papers = by_rankers.group_by("paper", maintain_order=True).len().filter(pl.col("len") > 1)
    names = papers.join(ranked, on="paper", how="anti", maintain_order="left")["paper"]
    names = names.filter(_is_listed(names, described))
    if not 0 < names.len() * FEW < papers.height:
        return []
    which = f"{counted(names.len(), 'paper')} ({listed(names.to_list())})"
    return [
        f"nobody ranks {which}, though 2 or more people who rank others reviewed each. Their ranks may be "
        "hidden from the account that exported"
    ]
