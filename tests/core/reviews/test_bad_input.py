"""Every bad input is refused with words that say what is wrong, where it stands and what to do."""

import math
import os
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unround
from tests.core.tables import pairs_of, ranks_of, refused, reviews_of, same_of
from unround import InputRefused, Kind, Scale, UsageError, dequantize

REVIEWS = {"reviewer": ["ann", "ann", "bob"], "paper": ["x", "y", "x"], "score": [5, 6, 5]}
RANKS = {"reviewer": ["ann", "ann"], "paper": ["y", "x"], "rank": [1, 2]}
PAIRS = {"reviewer": ["ann", "ann"], "better": ["y", "y"], "worse": ["x", "x"]}
# Every column of the tables of statements.
STATED = [(table, name) for table in (RANKS, PAIRS) for name in table]


def kinds(reviews, rankings=None, **options):
    return [issue.kind for issue in refused(None, reviews, rankings, **options)]


# Columns


@pytest.mark.parametrize(
    "left",
    [["paper", "score"], ["reviewer", "score"], ["reviewer", "paper"], ["Rating"], []],
    ids=str,
)
def test_all_missing_columns_are_named_with_what_was_found(frame, left):
    issues = refused(None, frame({name: REVIEWS.get(name, [5]) for name in left}))
    assert [issue.message for issue in issues] == [
        f"reviews has no column '{name}'; found: {', '.join(left) or 'none'}"
        for name in REVIEWS
        if name not in left
    ]


def without(table, name):
    return pl.DataFrame(table).drop(name)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        *(
            ({"rankings": without(table, name)}, f"rankings has no column '{name}'; found: ")
            for table, name in STATED
        ),
        ({"same": same_of("xy").drop("same_as")}, "same has no column 'same_as'; found: reviewer"),
        (
            {"rankings": [pl.DataFrame(RANKS), without(PAIRS, "worse")]},
            r"rankings\[1\] has no column 'worse'",
        ),
        (
            {"rankings": pl.DataFrame({**RANKS, **PAIRS})},
            r"mixes a rank list .* with stated pairs .*two tables",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_columns_of_statements(tables, words):
    refused(words, pl.DataFrame(REVIEWS), **tables)


def test_column_that_stands_twice():
    twice = pd.DataFrame([["ann", "x", 5, 6]], columns=["reviewer", "paper", "score", "score"])
    with pytest.raises(unround.UnroundError, match=r"(?s)two columns of the same name.*'score'"):
        dequantize(twice, lam=1.0)


# Empty tables and missing values


@pytest.mark.parametrize("values", [[], np.zeros(0, dtype=np.int64)], ids=["untyped", "typed"])
def test_no_reviews_is_the_only_issue_of_an_empty_table(frame, values):
    empty = frame(dict.fromkeys(REVIEWS, values))
    (issue,) = refused("reviews has no rows: there is nothing to do", empty)
    assert issue.kind is Kind.EMPTY


@pytest.mark.parametrize("names", [("paper", "rank"), ("better", "worse")], ids=["ranks", "pairs"])
def test_empty_rankings_are_no_rankings(frame, names):
    empty = frame({"reviewer": [], **{name: [] for name in names}})
    result, plain = (dequantize(frame(REVIEWS), stated, lam=1.0) for stated in (empty, None))
    assert result.issues == ()
    assert result.internals.values.tolist() == plain.internals.values.tolist()


@pytest.mark.parametrize(("table", "name"), STATED)
def test_null_in_statements(frame, table, name):
    words = rf"no value in column '{name}'.*\(rankings, row 1\)"
    (issue,) = refused(words, frame(REVIEWS), frame({**table, name: [table[name][0], None]}))
    assert issue.kind is Kind.MISSING


@pytest.mark.parametrize(
    "ids",
    [
        *(pd.Series(["x", gone, "x"], dtype=object) for gone in (None, pd.NA, math.nan, pd.NaT)),
        pd.array([1, None, 1], dtype="Int64"),
    ],
    ids=["none", "NA", "not a number", "no time", "nullable integers"],
)
def test_every_way_to_be_missing_in_a_pandas_column(ids):
    assert kinds(pd.DataFrame({**REVIEWS, "paper": ids})) == [Kind.MISSING]


@pytest.mark.parametrize(
    ("name", "values", "rows"),
    [
        ("reviewer", ["ann", None, "bob"], [1]),
        ("paper", ["x", None, "x"], [1]),
        ("score", [5, None, 5], [1]),
        ("score", [5.0, math.nan, 5.0], [1]),
        ("score", [None] * 3, [0, 1, 2]),
        # A null turns a pandas column of integers into floats; the reader made no such mistake.
        ("paper", [1, None, 1], [1]),
    ],
    ids=str,
)
def test_missing_values_are_called_nothing_else(frame, name, values, rows):
    words = rf"no value in column '{name}'.*\(reviews, row {rows[0]}\)"
    issues = refused(words, frame({**REVIEWS, name: values}))
    assert [(issue.kind, issue.rows) for issue in issues] == [
        (Kind.MISSING, (row,)) for row in rows
    ]


@pytest.mark.parametrize("blank", ["", " ", "\t\n"], ids=repr)
@pytest.mark.parametrize("name", ["reviewer", "paper"])
def test_blank_id(frame, name, blank):
    table = {**REVIEWS, name: [*REVIEWS[name][:2], blank]}
    refused(rf"no value in column '{name}'.*row 2", frame(table))


# Scores


def test_score_off_the_scale_says_where_and_what_is_allowed(frame):
    words = r"reviewer ann gives paper y the score 6; allowed are 1, 3, 5 \(reviews, row 1\)"
    (issue,) = refused(words, frame(REVIEWS), frame(RANKS), scale=[1, 3, 5])
    assert issue.kind is Kind.OFF_SCALE
    assert (issue.rows, issue.reviewer, issue.papers, issue.scores) == ((1,), "ann", ("y",), (6,))


@pytest.mark.parametrize(
    ("scores", "scale", "words"),
    [
        ([5.0, 5.5, 6.0], [5, 6], r"the score 5\.5; allowed are 5, 6"),
        (["A", "E", "B"], Scale.letters("A", "C"), "the score E; allowed are C, B, A"),
        (
            [5.0, 5.5, 6.0],
            None,
            r'not all integers \(found 5\.5\).*worst to best.*scale="5\.\.6:0\.5"',
        ),
        *(
            ([5.0, infinity, 5.0], scale, f"'score' holds {infinity}")
            for infinity in (math.inf, -math.inf)
            for scale in (None, [1, 2, 5])
        ),
        ([1, 10**18, 1], None, "1 score of 1000000000000000000 does not look like review scores"),
        (["5", "6", "5"], None, "'score' holds '5', which is not a number; convert the column"),
        (["5", "5", "5"], [5, 6], "'score' holds '5', which is not a number; convert"),
        ([5, 6, 5], ["C", "B", "A"], "'score' holds numbers but the scale has the symbols"),
        ([True, True, True], None, "'score' holds True, which is not a number"),
        ([5.0, math.inf, 5.0], None, "must be finite; correct the cell or remove the row"),
    ],
    ids=str,
)
def test_scores_that_are_no_levels(frame, scores, scale, words):
    refused(words, frame({**REVIEWS, "score": scores}), scale=scale)


@pytest.mark.parametrize("values", [[5.0, None, math.inf], [-math.inf, None, 5.0]], ids=str)
def test_an_infinite_score_beside_a_missing_one(frame, values):
    assert kinds(frame({**REVIEWS, "score": values})) == [Kind.MISSING, Kind.TYPE]


def test_score_beyond_every_float():
    huge = pd.Series([5, 10**400, 5], dtype=object)
    assert kinds(pd.DataFrame({**REVIEWS, "score": huge})) == [Kind.TYPE]


# Repeated and unknown reviews


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_no_policy_accepts_a_review_three_times_which_is_two_repeats(frame, policy):
    table = {"reviewer": ["ann"] * 3, "paper": ["x"] * 3, "score": [5, 6, 5]}
    words = r"reviewer ann reviews paper x twice; keep one .*\(reviews, rows 0, 1\)"
    issues = refused(words, frame(table), conflicts=policy)
    assert [(issue.kind, issue.rows, issue.reviewer, issue.papers) for issue in issues] == [
        (Kind.DUPLICATE_REVIEW, rows, "ann", ("x",)) for rows in ((0, 1), (1, 2))
    ]


@pytest.mark.parametrize(
    ("tables", "words", "kind", "reviewer", "papers"),
    [
        (
            [{"reviewer": ["ann"] * 2, "paper": ["x", "x"], "rank": [1, 2]}],
            r"reviewer ann ranks paper x twice; .*\(rankings\[0\], rows 0, 1\)",
            *(Kind.DUPLICATE_RANK, "ann", ["x"]),
        ),
        (
            [RANKS, {"reviewer": ["ann"], "paper": ["x"], "rank": [1]}],
            "reviewer ann ranks paper x twice",
            *(Kind.DUPLICATE_RANK, "ann", ["x"]),
        ),
        (
            [{"reviewer": ["bob", "bob"], "paper": ["x", "y"], "rank": [1, 2]}],
            r"reviewer bob ranks paper y but did not review it.*row 1\)",
            *(Kind.UNREVIEWED, "bob", ["y"]),
        ),
        (
            [{"reviewer": ["eve", "eve"], "paper": ["x", "y"], "rank": [1, 2]}],
            "reviewer eve ranks paper x but did not review it",
            *(Kind.UNREVIEWED, "eve", ["x", "y"]),
        ),
        (
            [{"reviewer": ["ann"], "better": ["x"], "worse": ["z"]}],
            "paper z",
            *(Kind.UNREVIEWED, "ann", ["z"]),
        ),
        (
            [{"reviewer": ["ann"], "better": ["x"], "worse": ["x"]}],
            r"reviewer ann says that paper x is better than itself.*row 0\)",
            *(Kind.SELF, "ann", ["x"]),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_statements_that_cannot_be_used(frame, tables, words, kind, reviewer, papers):
    issues = refused(words, frame(REVIEWS), [frame(table) for table in tables])
    assert [(issue.kind, issue.reviewer, issue.papers) for issue in issues] == [
        (kind, reviewer, (paper,)) for paper in papers
    ]
    assert issues[0].scores == ((5,) if kind is Kind.SELF else ())


# Statements that cannot all hold


@pytest.mark.parametrize(
    ("papers", "statements", "cycles"),
    [
        ("xy", {"rankings": pairs_of("xy", "yx")}, ["xy"]),
        ("xyz", {"rankings": pairs_of("xy", "yz", "zx")}, ["xyz"]),
        ("abcd", {"rankings": pairs_of("ab", "ba", "cd", "dc")}, ["ab", "cd"]),
        ("xy", {"rankings": pairs_of("xy"), "same": same_of("xy")}, ["xy"]),
        ("xy", {"rankings": [ranks_of({"x": 1, "y": 2}), pairs_of("yx")]}, ["xy"]),
    ],
    ids=["two", "three", "two cycles", "better and the same", "a rank list and a pair"],
)
def test_cycles(papers, statements, cycles):
    words = rf"reviewer ann states a cycle among papers {cycles[0][0]} \(score 5\), .*remove one"
    issues = refused(words, reviews_of(dict.fromkeys(papers, 5)), **statements)
    assert [(issue.kind, issue.papers, set(issue.scores)) for issue in issues] == [
        (Kind.CYCLE, tuple(cycle), {5}) for cycle in cycles
    ]


def test_contradiction_names_papers_and_scores():
    words = r"reviewer ann ranks x \(score 5\) above y \(score 6\), against their own scores"
    (issue,) = refused(words, reviews_of({"x": 5, "y": 6}), ranks_of({"x": 1, "y": 2}))
    assert (issue.kind, issue.action) == (Kind.CONTRADICTION, "")
    assert (issue.rows, issue.reviewer) == ((0, 1), "ann")
    assert (issue.papers, issue.scores) == (("x", "y"), (5, 6))


# Types of ids and ranks


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"rank": [math.nan, 1.0]}, "no value in column 'rank'.*row 0"),
        ({"rank": ["1", "2"]}, "'rank' holds '1', which is not a number; convert"),
        ({"rank": [True, False]}, "'rank' holds True, which is not a number"),
        ({"rank": [1.0, math.inf]}, "'rank' holds inf, but a rank must be finite.*row"),
        ({"rank": [1.0, -math.inf]}, "'rank' holds -inf, but a rank must be finite.*row"),
        ({"paper": [" ", "x"]}, r"no value in column 'paper'.*\(rankings, row 0\)"),
        ({"paper": [2, 1]}, r"'paper' holds integers \(2\) but .* holds text"),
    ],
    ids=str,
)
def test_rank_lists_of_the_wrong_type(frame, columns, words):
    refused(words, frame(REVIEWS), frame({**RANKS, **columns}))


def test_ids_of_another_kind_than_those_of_the_reviews(frame):
    integers = frame({**REVIEWS, "paper": [1, 2, 1]})
    words = r"'paper' holds text \('y'\) but .* holds integers \(1\); use one kind"
    refused(words, integers, frame(RANKS))
    words = r"'better' holds integers \(2\) but .* holds text"
    refused(words, frame(REVIEWS), frame({**PAIRS, "better": [2, 2]}))


def test_mixed_ids_are_named_in_every_column():
    mixed, words = pd.Series([1, "y", 1], dtype=object), "'paper' holds integers and text; ids must"
    reviews = pd.DataFrame({**REVIEWS, "reviewer": mixed, "paper": mixed})
    assert [issue.message.split("'")[1] for issue in refused(words, reviews)] == [
        "reviewer",
        "paper",
    ]
    refused(words, pd.DataFrame(REVIEWS), pd.DataFrame({**RANKS, "paper": mixed.head(2)}))


def test_ids_of_128_bits():
    table = pl.DataFrame({**REVIEWS, "paper": pl.Series([2**70, 2, 2**70], dtype=pl.Int128)})
    result = dequantize(table, lam=1.0)
    assert result.papers["paper"].to_list() == [2, 2**70]
    assert result.scores["paper"].dtype == pl.Int128


def test_ids_of_type_decimal():
    table = pa.table({**REVIEWS, "paper": [Decimal("1.5"), Decimal("2.5"), Decimal("1.5")]})
    refused("'paper' holds decimal numbers; ids must be all strings", table)


@pytest.mark.parametrize("name", ["reviewer", "paper"])
def test_boolean_ids(frame, name):
    words = f"'{name}' holds true/false values; ids must be all strings"
    refused(words, frame({**REVIEWS, name: [True, False, True]}))


# Integers of any size


@pytest.mark.parametrize(
    "papers",
    [
        pl.Series([2**63 + 1, 2**63 + 2, 2**63 + 1], dtype=pl.UInt64),
        pl.Series([2**53, 2**53 + 1, 2**53]),
        pd.Series([10**29 + 7, 10**29 + 8, 10**29 + 7], dtype=object),
    ],
    ids=["unsigned", "beyond float precision", "thirty digits"],
)
def test_neighbouring_large_ids_stay_apart(papers):
    make = pd.DataFrame if isinstance(papers, pd.Series) else pl.DataFrame
    reviews = make({"reviewer": ["ann", "ann", "bob"], "paper": papers, "score": [5, 5, 5]})
    ranked = make({"reviewer": ["ann"] * 2, "paper": papers.head(2), "rank": [2, 1]})
    result = dequantize(reviews, ranked, lam=math.inf)
    assert list(result.papers["paper"]) == list(papers.head(2))
    assert list(result.scores["dequantized"].round(9)) == [4.975, 5.025, 5.0]


def test_signed_ids_in_rankings_find_unsigned_ids_in_reviews():
    ids = pl.Series([1, 2**63, 1], dtype=pl.UInt64)
    reviews = pl.DataFrame({"reviewer": ["ann", "ann", "bob"], "paper": ids, "score": [5, 5, 5]})
    ranked = pl.DataFrame({"reviewer": ["ann"] * 2, "paper": [1, 2], "rank": [1, 2]})
    assert [issue.papers for issue in refused(None, reviews, ranked)] == [(2,)]


@pytest.mark.parametrize("order", [[2**53, 2**53 + 1], [2**53 + 1, 2**53]], ids=["xy", "yx"])
def test_ranks_beyond_float_precision_do_not_become_a_tie(frame, order):
    reviews = frame({"reviewer": ["ann"] * 2, "paper": ["x", "y"], "score": [5, 5]})
    ranked = frame({"reviewer": ["ann"] * 2, "paper": ["x", "y"], "rank": order})
    first, second = dequantize(reviews, ranked, lam=math.inf).internals.values.tolist()
    assert first - second == pytest.approx(0.05 if order[0] < order[1] else -0.05)


def test_ranks_beyond_float_precision_beside_a_null_do_not_become_a_tie():
    reviews = reviews_of({"x": 5, "y": 6, "z": 6})
    ranked = ranks_of({"x": 2**53, "y": 2**53 + 1, "z": None})
    assert kinds(reviews, ranked) == [Kind.MISSING, Kind.CONTRADICTION]


def test_ranks_of_thirty_digits():
    ranks = pd.Series([10**29 + 1, 10**29], dtype=object)
    ranked = pd.DataFrame({"reviewer": ["ann"] * 2, "paper": ["x", "y"], "rank": ranks})
    reviews = pd.DataFrame({"reviewer": ["ann"] * 2, "paper": ["x", "y"], "score": [5, 5]})
    values = dequantize(reviews, ranked, lam=math.inf).internals.values
    assert values.tolist() == pytest.approx([4.975, 5.025])


# Settings

HUGE = -(10**400)
NO_POSITIVE_NUMBERS = [0, math.nan, math.inf, True, None, HUGE]
BAD_SETTINGS = {
    ("lam", r'lam must be "auto", "auto\+" or a number above 0 .*, not '): [
        *(0, 0.0, -1, -math.inf, math.nan, "1", "Auto", True, None, [1.0], 1j, HUGE),
        np.array([1.0, 2.0]),
    ],
    ("epsilon", "epsilon must be a number above 0, not "): [-0.05, "0.05", *NO_POSITIVE_NUMBERS],
    ("tolerance", "tolerance must be a number above 0, not "): [
        *(-1e-9, "1e-9"),
        *NO_POSITIVE_NUMBERS,
    ],
    ("conflicts", "conflicts must be one of 'refuse', 'scores', 'rankings', not "): [
        *("reviewers", "Refuse", None, 1, ["scores"]),
    ],
    ("unranked", "unranked must be one of 'apart', 'below', not "): ["above", None, 3, []],
    ("engine", "engine must be one of 'dask', 'gpu', 'local', or an engine object, not "): [
        *("cuda", None, [1]),
    ],
    ("allow_loss", "allow_loss must be"): ["no"],
    ("scale", "scale must be a list of levels, worst to best, not "): [5, {5}],
}


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [(*setting, value) for setting, values in BAD_SETTINGS.items() for value in values],
    ids=lambda value: str(value)[:12],
)
def test_bad_setting(name, words, value):
    with pytest.raises(UsageError, match=words):
        dequantize(pl.DataFrame(REVIEWS), **{"lam": 1.0, name: value})


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ([], "needs at least one level"),
        ([1, 2, 2], "the level 2 is on the scale twice"),
        ([3, 1, 2], "levels go from worst to best: 3, 1, 2 does not"),
        ([1, "A"], "all numbers or all symbols"),
        ([True, 2], "a level must be a number or a string, not True"),
        ([1, None], "a level must be a number or a string, not None"),
        ([1, math.nan], "a level must be finite and below"),
        ([1, math.inf], "a level must be finite and below"),
        (range(1001), "at most 1000 levels, not 1001"),
        ([2**53, 2**53 + 1], "a level must be finite and below"),
        ([1, 10**400], "a level must be finite and below"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_bad_scale(levels, words):
    with pytest.raises(UsageError, match=words):
        dequantize(pl.DataFrame(REVIEWS), lam=1.0, scale=levels)


def test_settings_are_checked_before_the_data():
    with pytest.raises(UsageError, match="epsilon"):
        dequantize(pl.DataFrame({"nothing": [1]}), lam=1.0, epsilon=-1)


# Everything at once


@pytest.mark.parametrize("policy", ["refuse", "scores", "rankings"])
def test_six_issues_are_reported_together_and_nothing_is_done_about_them(policy):
    reviews = pl.DataFrame(
        {
            "reviewer": ["ann", "ann", "bob", "bob", "bob", "cid", "cid", "dan"],
            "paper": ["x", "y", "x", "y", "y", "x", "y", None],
            "score": [5, 6, 5, 99, 5, 5, 5, 5],
        }
    )
    stated = [ranks_of({"x": 1, "y": 2, "q": 3}), pairs_of("xy", "yx", "xx", reviewer="cid")]
    options = {"scale": [4, 5, 6], "conflicts": policy}
    with pytest.raises(InputRefused) as caught:
        dequantize(reviews, stated, lam=1.0, **options)
    issues = caught.value.issues
    assert sorted(issue.kind for issue in issues) == sorted(
        [
            Kind.MISSING,
            Kind.OFF_SCALE,
            Kind.UNREVIEWED,
            Kind.SELF,
            Kind.CONTRADICTION,
            Kind.CYCLE,
        ]
    )
    assert {issue.action for issue in issues} == {""}
    assert unround.check(reviews, stated, **options) == issues
    advice = [line for line in str(caught.value).splitlines() if line.startswith("What to do")]
    assert len(advice) == len(set(advice)) == 6  # once for each kind
    expected = "correct the score, or name every level of the scale with scale"
    assert any(expected in line for line in advice)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([9, 9, 9, None], r"^4 issues in the input \(3 off-scale, 1 missing-value\):"),
        ([9, 1, 2, 2], r"^1 issue in the input \(1 off-scale\):"),
        ([9] * 20, r"^20 issues in the input \(20 off-scale\):"),
        ([9] * 23, r"(?s)^23 issues in the input \(23 off-scale\):.*  ... and 3 more in `issues`"),
    ],
    ids=["several kinds", "one", "twenty", "more"],
)
def test_issues_are_counted_by_kind_and_the_first_twenty_written_out(scores, words):
    numbers = range(len(scores))
    table = pl.DataFrame({"reviewer": numbers, "paper": [1] * len(scores), "score": scores})
    with pytest.raises(InputRefused, match=words) as caught:
        dequantize(table, scale=[1, 2], lam=1.0)
    off = [str(number) for number in numbers if scores[number] == 9]
    lines = [line.split() for line in str(caught.value).splitlines()]
    assert [line[2] for line in lines if line[:2] == ["off-scale:", "reviewer"]] == off[:20]
    assert sum(issue.kind is Kind.OFF_SCALE for issue in caught.value.issues) == len(off)
    assert (" more in `issues`" in str(caught.value)) == (len(off) > 20)


PRINT_REFUSAL = """
import polars as pl, unround
reviews = pl.DataFrame({"reviewer": [1, 2, 3], "paper": [7] * 3, "score": ["n/a", "abs", "5"]})
print(*unround.check(reviews, scale=[1, 2, 5]))
"""


@pytest.mark.slow
def test_words_are_the_same_in_every_process():
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT_REFUSAL],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1


def test_refusals_are_value_errors():
    assert issubclass(InputRefused, ValueError)
    assert issubclass(UsageError, ValueError)
