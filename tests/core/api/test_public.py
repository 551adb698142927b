"""What the package promises to those who import it."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import unround
from unround import baselines, metrics, simulate

HEAVY = ["numba", "polars", "pandas", "pyarrow", "scipy", "matplotlib", "numpy", "narwhals"]
REVIEWS = {"reviewer": [1, 2], "paper": [7, 7], "score": [3, 5]}


def in_a_fresh_process(code):
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()


def public_parts(module):
    """The functions and classes that a module defines without an underscore."""
    return [
        getattr(module, name)
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    ]


SHOWN = [getattr(unround, name) for name in unround.__all__]
SHOWN = [part for part in SHOWN if not inspect.ismodule(part)]
SHOWN += [part for module in (baselines, metrics, simulate) for part in public_parts(module)]


# Names


def test_type_checkers_see_the_exported_names():
    tree = ast.parse(Path(unround.__file__).read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    assert sorted(alias.asname for line in block.body for alias in line.names) == unround.__all__


def test_help_starts_with_the_public_names():
    words = set(re.findall(r"\w+", unround.__doc__.partition(">>>")[0]))
    assert [name for name in unround.__all__ if name not in words] == []


def test_names_of_the_design_are_there():
    """What others rely on: shared between the design and this list, and never taken away."""
    assert {
        *("baselines", "check", "dequantize", "load", "metrics", "read", "select_lambda"),
        *("simulate", "update", "InputRefused", "Kind", "NotSolved", "Result", "Scale"),
    } <= set(unround.__all__)


def test_star_import_gives_exactly_the_exported_names():
    found = in_a_fresh_process(
        "from unround import *\nprint(*(name for name in dir() if not name.startswith('__')))"
    )
    assert sorted(found) == sorted(unround.__all__)


def test_dir_lists_the_exported_names_and_the_version():
    assert dir(unround) == sorted([*unround.__all__, "__version__"])


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'unround' has no attribute 'dequantise'"):
        _ = unround.dequantise


@pytest.mark.parametrize(
    ("table", "options", "error"),
    [
        ({"reviewer": [1], "paper": [7]}, {}, unround.InputRefused),
        (REVIEWS, {"lam": -1.0}, unround.UsageError),
        (REVIEWS, {"lam": 1.0, "tolerance": 1e-30}, unround.NotSolved),
    ],
    ids=["input", "usage", "tolerance"],
)
def test_whatever_is_raised_can_be_caught_as_one_error(table, options, error):
    with pytest.raises(unround.UnroundError) as caught:
        unround.dequantize(pl.DataFrame(table), **options)
    assert type(caught.value) is error


# Weight


@pytest.mark.parametrize(
    ("code", "absent"), [("unround.UnroundError", HEAVY), ("unround.Scale([1])", ["numba"])]
)
def test_nothing_is_loaded_that_takes_long_and_is_not_needed(code, absent):
    loaded = in_a_fresh_process(f"import sys, unround\n{code}\nprint(*sys.modules)")
    assert not {name.split(".")[0] for name in loaded} & set(absent)


# Documentation


@pytest.mark.parametrize("part", SHOWN, ids=lambda part: f"{part.__module__}.{part.__name__}")
def test_public_name_has_an_example(part):
    assert ">>>" in (part.__doc__ or "")
