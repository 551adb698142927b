"""The methods that the paper compares with. Each returns one score per review, in the caller's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.errors import InputRefused, UsageError
from unround.reviews.reader import read
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.settings import EPSILON, checked_epsilon


def quantized(reviews: object, *, scale: Scale | Sequence[Any] | None = None) -> FloatArray:
    """Return the given scores as numbers.

    Parameters
    ----------
    reviews, scale
        As for `dequantize`.

    Returns
    -------
    ndarray
        One score per review, in the caller's order.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": ["B", "A"]})
    >>> unround.baselines.quantized(reviews).tolist()
    [1.0, 2.0]
    """
    tables = Tables.of(reviews)
    review_set = _read(replace(tables, rankings=None, same=None), scale)
    return review_set.in_caller_order(review_set.given)


def bre_adjusted(
    reviews: object,
    rankings: object = None,
    *,
    epsilon: float = EPSILON,
    scale: Scale | Sequence[Any] | None = None,
) -> FloatArray:
    """Return scores after balanced rank estimation inside each score (Algorithm 3).

    A paper moves by ε/2 for every paper of the same score that its reviewer ranks below it, and back
    for every one above.

    Parameters
    ----------
    reviews, rankings, epsilon, scale
        As for `dequantize`.

    Returns
    -------
    ndarray
        One score per review, in the caller's order.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1, 1], "paper": [7, 8, 9], "score": [5, 5, 6]})
    >>> rankings = pl.DataFrame({"reviewer": [1, 1, 1], "paper": [7, 8, 9], "rank": [3, 2, 1]})
    >>> unround.baselines.bre_adjusted(reviews, rankings).tolist()
    [4.975, 5.025, 6.0]
    """
    review_set = _ranked(reviews, rankings, scale)
    order, bin_first, bin_last, tie_first, tie_last = _ties_in_bins(review_set)
    below, above = tie_first - bin_first, bin_last - tie_last
    unit = checked_epsilon(epsilon) * review_set.scale.spacing
    return _shifted(review_set, order, unit * (below - above) / 2.0)


def partial_ranking_adjusted(
    reviews: object,
    rankings: object = None,
    *,
    epsilon: float = EPSILON,
    scale: Scale | Sequence[Any] | None = None,
) -> FloatArray:
    """Return scores with groups of tied papers spread by ε around their score (Algorithm 4).

    Parameters
    ----------
    reviews, rankings, epsilon, scale
        As for `dequantize`.

    Returns
    -------
    ndarray
        One score per review, in the caller's order.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1, 1], "paper": [7, 8, 9], "score": [5, 5, 5]})
    >>> rankings = pl.DataFrame({"reviewer": [1, 1, 1], "paper": [7, 8, 9], "rank": [2, 2, 1]})
    >>> unround.baselines.partial_ranking_adjusted(reviews, rankings).round(4).tolist()
    [4.9833, 4.9833, 5.0333]
    """
    review_set = _ranked(reviews, rankings, scale)
    order, bin_first, bin_last, tie_first, _ = _ties_in_bins(review_set)
    opens = tie_first == np.arange(order.size)
    group = np.cumsum(opens)
    number = (group - group[bin_first]).astype(np.float64)
    total = np.concatenate([[0.0], np.cumsum(number)])
    mean = (total[bin_last] - total[bin_first]) / np.maximum(bin_last - bin_first, 1)
    unit = checked_epsilon(epsilon) * review_set.scale.spacing
    return _shifted(review_set, order, unit * (number - mean))


def _read(tables: Tables, scale: Scale | Sequence[Any] | None) -> ReviewSet:
    chosen = tables.scale if scale is None else Scale.of(scale)
    _, review_set, read_issues = read(tables.reviews, tables.rankings, tables.same, chosen)
    if read_issues.fatal or read_issues.set_aside:
        raise InputRefused([*read_issues.fatal, *read_issues.set_aside])
    return review_set


def _ranked(reviews: object, rankings: object, scale: Scale | Sequence[Any] | None) -> ReviewSet:
    review_set = _read(Tables.of(reviews, rankings), scale)
    if review_set.statements.better.size:
        raise UsageError(
            "this baseline is defined for rank lists (reviewer, paper, rank), not for pairs"
        )
    return review_set


def _ties_in_bins(review_set: ReviewSet) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Return ranked reviews by reviewer, score and rank (worst first), and the ends of their bin and tie.

    A bin is a reviewer's papers of one score, a tie those of them that share a rank.
    """
    ranked = np.flatnonzero(~np.isnan(review_set.statements.rank))
    rank, level = review_set.statements.rank[ranked], review_set.level[ranked]
    owner = review_set.reviewer[ranked]
    sequence = np.lexsort((-rank, level, owner))
    in_bin = np.stack([owner, level])[:, sequence]
    bin_first, bin_last = _runs(in_bin)
    tie_first, tie_last = _runs(np.vstack([in_bin, rank[sequence]]))
    return ranked[sequence], bin_first, bin_last, tie_first, tie_last


def _runs(keys: IntArray | FloatArray) -> tuple[IntArray, IntArray]:
    """Return for each entry where its run of equal keys starts and where it ends."""
    opens = np.ones(keys.shape[1], dtype=np.bool_)
    opens[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    first = np.flatnonzero(opens)
    last = np.append(first[1:], keys.shape[1])
    run = np.cumsum(opens) - 1
    return first[run].astype(np.int64), last[run].astype(np.int64)


def _shifted(review_set: ReviewSet, order: IntArray, shift: FloatArray) -> FloatArray:
    adjusted = review_set.given.copy()
    adjusted[order] += shift
    return review_set.in_caller_order(adjusted)
