"""A finished run -> the bulk assignment that stores it in HotCRP as tag values."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator

import polars as pl

from unround.errors import UsageError
from unround.formats.hotcrp.addressing import tag_owners

HEADER = ("paper", "action", "tag", "tag_value")
STATISTICS = ("mean", "min", "max", "spread")
LARGEST = 2_147_483_646.0
LONGEST_TAG = 80
RESERVED = ("any", "all", "none", "some", "undefined")
# Narrower than HotCRP's own rule, whose other characters have meanings of their own.
_TAG = re.compile(r"[a-zA-Z_][-+a-zA-Z0-9_.]*", re.ASCII)
_PAPER = re.compile(r"[1-9][0-9]*", re.ASCII)


def assignments(
    scores: pl.DataFrame, papers: pl.DataFrame, *, tag: str = "dq", per_review: bool = False
) -> str:
    """The CSV for Assignments > Bulk update.

    Every paper gets ~~dq_mean, ~~dq_min, ~~dq_max and ~~dq_spread, which only chairs see. With
    `per_review` every review gets its author's private tag ~dq as well: its author sees it, and
    only members of the programme committee can have one.
    """
    _check_tag(tag)
    rows = list(_paper_rows(papers, tag))
    if per_review:
        rows += _review_rows(scores, tag)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEADER, *rows])
    return text.getvalue()


def _paper_rows(papers: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
    wanted = [f"dequantized_{name}" for name in STATISTICS]
    for paper, *values in papers.select("paper", *wanted).iter_rows():
        for name, value in zip(STATISTICS, values, strict=True):
            yield _paper(paper), "tag", f"~~{tag}_{name}", _value(value, paper)


def _review_rows(scores: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
    owners = tag_owners(scores)
    for reviewer, paper, value in scores.select("reviewer", "paper", "dequantized").iter_rows():
        yield _paper(paper), "tag", f"{owners[str(reviewer)]}~{tag}", _value(value, paper)


def _check_tag(tag: str) -> None:
    longest = max(len(f"~~{tag}_{name}") for name in STATISTICS)
    if not _TAG.fullmatch(tag) or longest > LONGEST_TAG or tag.lower() in RESERVED:
        raise UsageError(
            f"{tag!r} cannot be a HotCRP tag: it must begin with a letter, continue with letters, "
            f"digits, - or _, and be no longer than {LONGEST_TAG - longest + len(tag)} characters"
        )


def _paper(paper: object) -> str:
    """The paper's number. Anything else would be taken for a search, and tag what it finds."""
    text = str(paper)
    if not _PAPER.fullmatch(text):
        raise UsageError(f"paper {text!r} is not a HotCRP paper: those have numbers")
    return text


def _value(value: float | None, paper: object) -> str:
    """A plain decimal: HotCRP takes exponents for formulas, and stores single precision."""
    if value is None or not math.isfinite(value) or abs(value) > LARGEST:
        raise UsageError(f"paper {paper}: {value} cannot be the value of a HotCRP tag")
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
