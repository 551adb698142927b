"""Write for HotCRP: bulk assignments of tag values, decisions and rankings."""

from __future__ import annotations

import csv
import io
import math
import re
import string
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import listed
from unround.formats.model import ExportOptions
from unround.formats.systems.exports import decided_papers
from unround.formats.systems.hotcrp.rankings import ASSIGNMENT_COLUMNS, USUAL_TAG
from unround.wording import STATISTICS

LARGEST = 2_147_483_646.0
LONGEST_TAG = 80
RESERVED = ("any", "all", "none", "some", "undefined")
# Narrower than HotCRP's own rule, whose other characters have meanings of their own.
_TAG = re.compile(r"[a-zA-Z_][-+a-zA-Z0-9_.]*", re.ASCII)
_PAPER = re.compile(r"[1-9][0-9]*", re.ASCII)
_ORDINAL = re.compile(r"[A-Z]+", re.ASCII)
Row = tuple[str, ...]


def assignments(scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions) -> str:
    """Return the CSV for Assignments > Bulk update. Only chairs see the tags, which begin with ~~.

    Earlier values of the tags that are written are cleared first, no others. "scores" are the statistics
    of every paper, such as ~~dq_mean, "places" ~~dq_place; with `per_review` the review 12B gives its
    paper ~~dq_B. "tags" turn a chair's tag such as "talk" into ~~dq_tag_talk. "decisions"
    become decisions.
    """
    _check_tag(options.tag)
    rows: list[Row] = []
    if "scores" in options.include:
        rows += [_cleared(options.tag, STATISTICS), *_statistics(papers, options.tag)]
    if "places" in options.include:
        places = papers.filter(pl.col("place").is_not_null()).select("paper", "place")
        rows.append(_cleared(options.tag, ["place"]))
        rows += (_tagged(paper, f"~~{options.tag}_place", place) for paper, place in places.rows())
    if "tags" in options.include:
        rows += [_cleared(options.tag, ["tag_*"]), *_chairs_tags(papers, options.tag)]
    if options.per_review:
        rows += [_cleared(options.tag, string.ascii_uppercase), *_reviews(scores, options.tag)]
    if "decisions" not in options.include:
        return as_csv([ASSIGNMENT_COLUMNS, *rows])
    decided = [
        (_paper(paper), "decision", "", "", str(decision))
        for paper, decision in decided_papers(papers)
    ]
    return as_csv([(*ASSIGNMENT_COLUMNS, "decision"), *((*row, "") for row in rows), *decided])


def _cleared(tag: str, names: Iterable[str]) -> Row:
    """Return the row that clears some of the tags on all papers."""
    return "all", "cleartag", " ".join(f"~~{tag}_{name}" for name in names), ""


def rank_assignments(ranks: pl.DataFrame) -> str:
    """Return the CSV that sets everybody's ranking, from reviewer, reviewer_email, paper and rank."""
    given = pl.col("reviewer_email").fill_null("")
    email = pl.when(given == "").then("reviewer").otherwise(given).cast(pl.String)
    named = ranks.select("paper", "rank", email=email)
    unknown = named.filter(~pl.col("email").str.contains("@", literal=True))["email"].unique()
    if unknown.len():
        raise UsageError(
            f"HotCRP knows reviewers by their e-mails; those of {listed(sorted(unknown))} are not known"
        )
    rows = (
        _tagged(paper, f"{_owner(email)}~{USUAL_TAG}", rank) for paper, rank, email in named.rows()
    )
    return as_csv([ASSIGNMENT_COLUMNS, *rows])


def _owner(email: str) -> str:
    """Return an e-mail as the owner of a private tag.

    HotCRP reads no - or + there, but takes * for any text, and an e-mail with a * as a whole: without one
    ann@example.org is ann@cs.example.org too.

    >>> _owner("ann@uni-x.example"), _owner("bo@example.org")
    ('ann@uni*x.example', 'bo@example.org*')
    """
    starred = re.sub(r"[^\w.@%']", "*", email)
    return starred if "*" in starred else f"{starred}*"


def _statistics(papers: pl.DataFrame, tag: str) -> Iterator[Row]:
    columns = [f"dequantized_{name}" for name in STATISTICS]
    for paper, *values in papers.select("paper", *columns).iter_rows():
        for name, value in zip(STATISTICS, values, strict=True):
            yield _tagged(paper, f"~~{tag}_{name}", value)


def _reviews(scores: pl.DataFrame, tag: str) -> Iterator[Row]:
    ids = scores["review"] if "review" in scores.columns else [None] * scores.height
    for review, paper, value in zip(ids, scores["paper"], scores["dequantized"], strict=True):
        letters = str(review or "").removeprefix(str(paper))
        if not _ORDINAL.fullmatch(letters):
            raise UsageError(
                f"a review of paper {paper} has no letter such as {paper}A, by which HotCRP knows "
                "it; leave out the tags of single reviews"
            )
        yield _tagged(paper, f"~~{tag}_{letters}", value)


def _chairs_tags(papers: pl.DataFrame, tag: str) -> Iterator[Row]:
    tagged = papers.select("paper", "tags").rows() if "tags" in papers.columns else []
    for paper, names in tagged:
        for name in str(names or "").split():
            _check_tag(f"{tag}_tag_{name}")
            yield _tagged(paper, f"~~{tag}_tag_{name}", 0)


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _check_tag(tag: str) -> None:
    longest = max(len(f"~~{tag}_{name}") for name in STATISTICS)
    if not _TAG.fullmatch(tag) or longest > LONGEST_TAG or tag.lower() in RESERVED:
        raise UsageError(
            f"{tag!r} cannot be a HotCRP tag: it must begin with a letter, continue with letters, "
            f"digits, - or _, and be no longer than {LONGEST_TAG - longest + len(tag)} characters"
        )


def _tagged(paper: object, tag: str, value: float | None) -> Row:
    return _paper(paper), "tag", tag, _value(value, paper)


def _paper(paper: object) -> str:
    """Return the paper's number; HotCRP would take anything else for a search and tag its results."""
    text = str(paper)
    if not _PAPER.fullmatch(text):
        raise UsageError(f"paper {text!r} is not a HotCRP paper: those have numbers")
    return text


def _value(value: float | None, paper: object) -> str:
    """Return a plain decimal: HotCRP takes exponents for formulas, and keeps six digits."""
    if value is None or not math.isfinite(value) or abs(value) > LARGEST:
        raise UsageError(f"paper {paper}: {value} cannot be the value of a HotCRP tag")
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
