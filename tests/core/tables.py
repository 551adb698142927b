"""Small tables made by hand, in every kind of dataframe, and how they are refused."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from unround import InputRefused, dequantize

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def reviews_of(scores, reviewer="ann"):
    """One reviewer's reviews, from scores by paper."""
    return pl.DataFrame(
        {
            "reviewer": [reviewer] * len(scores),
            "paper": list(scores),
            "score": list(scores.values()),
        }
    )


def ranks_of(ranks, reviewer="ann"):
    """One reviewer's rank list, from ranks by paper."""
    return reviews_of(ranks, reviewer).rename({"score": "rank"})


def pairs_of(*pairs, reviewer="ann"):
    """Stated pairs, as "xy" for x above y."""
    better, worse = zip(*pairs, strict=True)
    return pl.DataFrame({"reviewer": [reviewer] * len(pairs), "better": better, "worse": worse})


def same_of(*pairs, reviewer="ann"):
    """Papers called about the same, as "xy"."""
    return pairs_of(*pairs, reviewer=reviewer).rename({"better": "paper", "worse": "same_as"})


def refused(words, reviews, rankings=None, **options):
    """The issues of an input that is refused, in these words (a regular expression) if given."""
    with pytest.raises(InputRefused, match=words) as caught:
        dequantize(reviews, rankings, lam=1.0, **options)
    return caught.value.issues
