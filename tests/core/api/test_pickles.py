"""Every public value and every error can be sent to another process, and comes back as it was."""

from __future__ import annotations

import importlib
import inspect
import multiprocessing
import pickle
import pkgutil
import re
import warnings
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import unround
from unround import audit, baselines, metrics, simulate
from unround.issues import Issue, Kind
from unround.uncertainty.posterior import SamplerDiagnostics

REVIEWS = "reviewer,paper,score,title\nann,1,4,One\nann,2,4,Two\nbob,1,6,One\nbob,2,3,Two\n"
RANKS = "reviewer,paper,rank\nann,2,1\nann,1,2\nbob,2,1\nbob,1,2\n"
WRONG = pl.DataFrame({"reviewer": ["ann", "bob"], "paper": [1, 1], "score": [4, None]})
POOL_S = 60  # after which a pool counts as hanging

# How to make one of each public value, by the name of its class.
VALUES = {
    "Calibration": lambda world: unround.calibrate(world.result),
    "Certificate": lambda world: world.result.certificate,
    "ComparisonResult": lambda world: unround.compare(*world.tables, levels=4),
    "Conference": lambda world: world.conference,
    "Dask": lambda _: unround.Dask("tcp://127.0.0.1:8786"),
    "GroupsAudit": lambda world: audit.audit_groups(world.folder, "score"),
    "Influence": lambda world: audit.audit_influence(world.folder, sample=3),
    "Issue": lambda _: Issue(Kind.CYCLE, "a above b above a", papers=("a", "b")),
    "KendallError": lambda _: metrics.KendallError(np.array([1.0, 2.0, 2.5])),
    "Kind": lambda _: Kind.CYCLE,
    "Policy": lambda _: unround.Policy.SCORES,
    "Posterior": lambda world: unround.posterior(world.result),
    "PrivacyFindings": lambda world: audit.audit_privacy(world.folder, world.chairs, sample=1),
    "Result": lambda world: world.result,
    "Scale": lambda _: unround.Scale(["reject", "accept"]),
    "Selection": lambda world: unround.select_lambda(world.conference.reviews, grid=[1.0, 9.0]),
    "Stability": lambda world: unround.stability(world.result, draws=2),
    "Tables": lambda world: unround.Tables(*world.tables),
    "Unranked": lambda _: unround.Unranked.BELOW,
    "Update": lambda world: unround.update(world.result, *world.tables),
}
# Errors that are made of more than a sentence.
ERRORS = {
    "InputRefused": lambda _: refusal(lambda: unround.dequantize(WRONG)),
    "NotMixed": lambda _: unround.NotMixed(SamplerDiagnostics(1.4, 12.0, 900, 80, 2, 0.1, 0.5, 0)),
    "NotSolved": lambda world: refusal(
        lambda: unround.dequantize(world.conference.reviews, lam=1.0, tolerance=1e-30)
    ),
    "PageNotBuilt": lambda _: unround.report.pages.PageNotBuilt(),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pickles")
    conference = simulate.thurstone(papers=24, seed=3)
    result = unround.dequantize(conference.reviews, conference.rankings, lam=4.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page of an unbuilt checkout
        run = result.save(folder / "run")
    chairs = folder / "chairs.csv"
    papers = range(24)
    pl.DataFrame({"paper": papers, "areachair": ["x", "y"] * 12}).write_csv(chairs)
    (folder / "reviews.csv").write_text(REVIEWS, "utf-8")
    (folder / "ranks.csv").write_text(RANKS, "utf-8")
    return SimpleNamespace(
        conference=conference,
        tables=(conference.reviews, conference.rankings),
        result=result,
        folder=run,
        chairs=chairs,
        files=unround.read(folder / "reviews.csv", rankings=folder / "ranks.csv"),
    )


def refusal(call):
    try:
        call()
    except unround.UnroundError as error:
        return error
    raise AssertionError("nothing was refused")


def sent(value):
    return pickle.loads(pickle.dumps(value))


def assert_same(one, other):
    """Compare what two values hold: their parts, and everything that they show."""
    assert type(one) is type(other)
    if hasattr(one, "to_native"):
        assert_same(one.to_native(), other.to_native())
    elif isinstance(one, pl.DataFrame | pl.Series):
        assert one.equals(other)
    elif sparse.issparse(one):
        assert_same(one.toarray(), other.toarray())
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, Mapping):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for part, its in zip(one, other, strict=True):
            assert_same(part, its)
    elif is_dataclass(one):
        names = [field.name for field in fields(one) if field.compare or field.init]
        names += [name for name, part in inspect.getmembers(type(one)) if is_shown(name, part)]
        for name in names:
            if not callable(getattr(one, name)):
                assert_same(getattr(one, name), getattr(other, name))
    elif isinstance(one, BaseException):
        assert str(one) == str(other)
        assert_same(vars(one), vars(other))
    elif type(one).__module__.startswith("unround") and hasattr(one, "__dict__"):
        assert_same(
            {name: part for name, part in vars(one).items() if not callable(part)},
            {name: part for name, part in vars(other).items() if not callable(part)},
        )
    elif one == one:  # NaN is not
        assert one == other


def is_shown(name, part):
    return not name.startswith("_") and isinstance(part, property | cached_property)


def public_names():
    """The classes that users can name, and those that public functions return."""
    modules = (audit, baselines, metrics, simulate)
    parts = [getattr(unround, name) for name in unround.__all__] + [metrics.KendallError]
    parts += [
        part
        for module in modules
        for name, part in vars(module).items()
        if not name.startswith("_") and getattr(part, "__module__", "") == module.__name__
    ]
    parts += [getattr(audit, name) for name in audit.__all__]
    classes = [part for part in parts if inspect.isclass(part)]
    hints = [
        inspect.signature(part).return_annotation for part in parts if inspect.isfunction(part)
    ]
    named = {kind.__name__ for kind in classes if not issubclass(kind, BaseException)}
    returned = {name for hint in hints for name in re.findall(r"[A-Z]\w+", str(hint))}
    return (named | returned) - {"DataFrame", "FrameT", "FloatArray"}


def every_error():
    """Every error of the package, also of modules that users never import."""
    for module in pkgutil.walk_packages(unround.__path__, "unround."):
        if not module.name.endswith("__main__") and ".versions" not in module.name:
            importlib.import_module(module.name)
    return sorted(subclasses(unround.UnroundError), key=str)


def subclasses(kind):
    return {kind}.union(*(subclasses(one) for one in kind.__subclasses__()))


def test_no_public_value_is_forgotten_here():
    assert public_names() == VALUES.keys()


def test_result_that_was_read_comes_back(world):
    loaded = unround.load(world.folder)
    assert_same(loaded, sent(loaded))


@pytest.mark.parametrize("name", VALUES)
def test_public_value_comes_back(world, name):
    value = VALUES[name](world)
    assert type(value).__name__ == name
    assert_same(value, sent(value))


def test_every_error_comes_back(world):
    for kind in every_error():
        make = ERRORS.get(kind.__name__, lambda _, kind=kind: kind("what, where, what next"))
        error = make(world)
        error.add_note("Nothing was written.")
        assert type(error) is kind
        assert_same(error, sent(error))


@pytest.mark.parametrize("times", [1, 2])
def test_what_was_read_from_files_comes_back_with_the_lines_of_its_rows(world, times):
    tables = world.files
    for _ in range(times):
        tables = sent(tables)
    assert_same(world.files, tables)
    assert unround.check(tables) == unround.check(world.files)
    assert unround.check(tables)[0].where == (
        *("reviews.csv, line 5", "reviews.csv, line 4"),
        *("ranks.csv, line 4", "ranks.csv, line 5"),
    )
    result = unround.dequantize(tables, conflicts="rankings", lam=1.0)
    assert_same(result, sent(result))
    assert unround.update(sent(result), tables).changes.height == 0


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.slow
def test_a_call_that_is_refused_in_a_pool_is_refused_there(method):
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        call = pool.map_async(unround.dequantize, [WRONG, WRONG])
        with pytest.raises(unround.InputRefused, match="no value in column 'score'") as refused:
            call.get(POOL_S)
    assert [issue.kind for issue in refused.value.issues] == [Kind.MISSING]
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        future = pool.submit(unround.dequantize, WRONG)
        with pytest.raises(unround.InputRefused) as refused:
            future.result(POOL_S)
    assert [issue.kind for issue in refused.value.issues] == [Kind.MISSING]
