"""The options of the method: one set for every function, checked by name, by value and by type."""

import inspect
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import unround
from unround.settings import MethodOptions, Settings, StatementOptions

CHECKOUT = Path(__file__).parents[3]
REVIEWS = pl.DataFrame({"reviewer": [1, 1, 2, 2], "paper": [1, 2, 1, 2], "score": [4, 4, 6, 3]})
RANKS = pl.DataFrame({"reviewer": [1, 1], "paper": [1, 2], "rank": [1, 2]})
FUNCTIONS = {
    "check": unround.check,
    "posterior": unround.posterior,
    "compare": unround.compare,
    "update": lambda *tables, **options: unround.update(
        unround.dequantize(*tables, scale="1..6", lam=2.0), *tables, **options
    ),
}


def test_options_are_the_settings_and_the_keywords_of_dequantize():
    settings = set(Settings.__dataclass_fields__)
    assert set(MethodOptions.__annotations__) == settings
    assert settings < set(inspect.signature(unround.dequantize).parameters)
    assert settings - set(StatementOptions.__annotations__) == {"lam", "tolerance"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_misspelt_option_is_no_option(name):
    with pytest.raises(TypeError, match=r"no option 'epsilom' here; there are epsilon, scale, "):
        FUNCTIONS[name](REVIEWS, RANKS, epsilom=0.1)
    with pytest.raises(unround.UsageError, match="conflicts must be one of"):
        FUNCTIONS[name](REVIEWS, RANKS, conflicts="skores")


@pytest.mark.parametrize("name", ["check", "posterior", "compare"])
def test_options_that_would_play_no_part_are_refused(name):
    with pytest.raises(TypeError, match="no option 'lam' here"):
        FUNCTIONS[name](REVIEWS, RANKS, lam=4.0)


@pytest.mark.parametrize("name", ["check", "posterior", "compare", "update"])
def test_help_names_every_option(name):
    text = getattr(unround, name).__doc__
    assert all(option in text for option in StatementOptions.__annotations__)


def test_the_posterior_takes_what_dequantize_takes():
    wrong = RANKS.with_columns(paper=pl.Series([9, 8]))
    alone = unround.posterior(REVIEWS, wrong, ignore_rankings=True, scale="1..6")
    assert alone.papers.equals(unround.posterior(REVIEWS, scale="1..6").papers)


USER = """
import polars as pl
import unround

reviews = pl.DataFrame({"reviewer": [1], "paper": [1], "score": [3]})
unround.check(reviews, conflicts="scores", scale=[1, 2, 3], epsilon=0.1)
unround.dequantize(reviews, engine=unround.Dask("tcp://127.0.0.1:8786"))
"""
WRONG = """
unround.dequantize(reviews, conflicts="skores")
unround.check(reviews, conflicts="skores")
unround.posterior(reviews, epsilon="small")
unround.update(unround.dequantize(reviews), reviews, epsilom=0.1)
"""


@pytest.mark.slow
def test_type_checkers_see_wrong_options(tmp_path):
    file = tmp_path / "user.py"
    # With the settings and the cache of `make check`, which has read the library before.
    words = [sys.executable, "-m", "mypy", str(file)]
    file.write_text(USER)
    done = subprocess.run(words, capture_output=True, text=True, cwd=CHECKOUT)
    assert done.returncode == 0, done.stdout
    file.write_text(USER + WRONG)
    done = subprocess.run(words, capture_output=True, text=True, cwd=CHECKOUT)
    first = len(USER.splitlines()) + 2
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == [
        str(first + place) for place in range(4)
    ]
