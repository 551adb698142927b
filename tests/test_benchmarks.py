"""Every section of the benchmarks runs at tiny sizes and says what it promises; no time is judged."""

from __future__ import annotations

import math
import re
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import pytest
from benchmarks.cases.conferences import published, synthetic, with_some_pairs, with_ties
from benchmarks.harness.bench import Bench
from benchmarks.harness.fresh import Fresh
from benchmarks.harness.plan import TINY
from benchmarks.harness.progress import Steps
from benchmarks.harness.report import FAILED, Table, render
from benchmarks.harness.run import SECTIONS, measured
from benchmarks.probes.sweep_and_copy import swept_bytes
from benchmarks.rivals import RIVALS, rival_named
from benchmarks.rivals.ladder import Attempt, Case, Climber, Way, best_attempt, predicted
from benchmarks.rivals.matrices import FORMULATIONS
from benchmarks.rivals.storing import load, save
from benchmarks.sections.growth import exponent

import unround
from unround.solver.layout import lay_out

DURATION = re.compile(r"-?[\d,.]+ (s|ms|µs|ns)")
# These compile everything anew: too long for a test of their tables.
TESTED = [name for name in SECTIONS if name not in ("startup", "run")]


class CountedSteps(Steps):
    """A progress bar that knows how many measurements it was told of."""

    counted = 0

    def done(self):
        self.counted += 1
        super().done()


class Warm(Fresh):
    """Starts interpreters with the checkout's caches: compiling takes long, and no time is judged."""

    def run(self, arguments, numba_cache="", **variables):
        caches = {"NUMBA_CACHE_DIR": "", "PYTHONPYCACHEPREFIX": ""}
        return super().run(arguments, numba_cache, **{**variables, **caches})


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    with CountedSteps(1) as progress:
        yield Bench(TINY, Warm(tmp_path_factory.mktemp("benchmarks")), progress)


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTED)
def test_section_has_full_tables_and_takes_as_many_steps_as_it_says(name, bench):
    if name == "paper" and find_spec("cvxpy") is None:
        pytest.skip("cvxpy comes with the extra `bench`")
    before = bench.progress.counted
    section = SECTIONS[name].measure(bench)
    assert bench.progress.counted - before == SECTIONS[name].steps(TINY)
    tables = [part for part in section.parts if isinstance(part, Table)]
    assert tables
    for table in tables:
        assert table.rows
        assert all(len(row) == len(table.head) for row in table.rows)
        assert any(DURATION.fullmatch(cell) for row in table.rows for cell in row)
        assert not any("nan" in cell or "{" in cell for row in table.rows for cell in row)
    text = render([section], "method", "source")
    assert f"## {section.title}" in text
    assert "{" not in text


def test_a_section_that_fails_is_part_of_the_report(bench):
    section = ModuleType("broken")
    section.TITLE = "Broken"
    section.measure = lambda _: 1 / 0
    assert FAILED in render([measured(section, bench)], "method", "source")


def test_numbers_stand_below_each_other():
    lines = Table(("a", "long head"), [("first", "1"), ("x", "1,000")]).markdown().splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1].endswith("-: |")
    assert lines[2].endswith("         1 |")


def test_prediction_follows_the_last_two_sizes():
    assert predicted([], 100) == 0.0
    assert predicted([(100, 1.0)], 200) == pytest.approx(4.0)
    assert predicted([(10, 5.0), (100, 1.0), (200, 8.0)], 400) == pytest.approx(64.0)
    assert predicted([(100, 1.0), (200, 1.0)], 400) == pytest.approx(2.0)  # at least linear


def test_quickest_of_equal_accuracy_is_best_and_else_the_most_accurate():
    rival, way = RIVALS[0], Way("eliminated", 1e-8)
    rough = Attempt(rival, way, 1.0, 1e-3)
    exact = Attempt(rival, way, 3.0, 1e-9)
    quick = Attempt(rival, way, 2.0, 1e-8)
    failed = Attempt(rival, way, failed="no")
    assert best_attempt([rough, exact, quick, failed]) is quick
    assert best_attempt([failed, rough]) is rough


def test_where_the_best_way_fails_a_looser_one_is_tried_but_not_after_a_crash():
    rival = rival_named("CVXOPT")
    tried = []

    class Stubborn:
        def __init__(self, reviews, hopeless):
            self.reviews, self.hopeless = reviews, hopeless

        def attempt(self, rival, way, limit):
            tried.append(way.tolerance)
            if self.reviews > 100 and way.tolerance < 1e-12:
                return Attempt(rival, way, failed="unknown", hopeless=self.hopeless)
            # The tightest way is the quickest, and therefore the one to go on with.
            return Attempt(rival, way, 1.0 + way.tolerance, way.tolerance)

    for hopeless, expected in ((False, [1e-15, 1e-14, 1e-12]), (True, [1e-15])):
        climber = Climber(rival, 300.0)
        climber.climb(Stubborn(100, hopeless))
        tried.clear()
        climber.climb(Stubborn(1_000, hopeless))
        assert tried == expected
        assert climber.stopped is hopeless


def test_exponent_of_a_power_law():
    sizes = [10, 100, 1_000]
    assert exponent(sizes, [size**1.5 for size in sizes]) == pytest.approx(1.5)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("lam", [0.5, 50.0])
@pytest.mark.parametrize(
    "rival", [one for one in RIVALS if one.installed], ids=lambda one: one.name
)
def test_rivals_solve_the_same_program(rival, formulation, lam, tmp_path):
    conference = with_some_pairs(synthetic(120, 5), 0.6)
    result = unround.dequantize(conference.reviews, conference.rankings, lam=lam)
    save(FORMULATIONS[formulation](result.internals.problem, lam), tmp_path / "program.npz")
    matrices = load(tmp_path / "program.npz")
    found = rival.ready(matrices, max(rival.tolerances))()[: matrices.reviews]
    np.testing.assert_allclose(found, result.internals.values, atol=2e-4)


def test_a_solve_that_takes_too_long_is_ended(tmp_path):
    clarabel = rival_named("Clarabel")
    case = Case(published(60), 1.0, 1, tmp_path)
    limit = 1e-3  # less than an interpreter needs to start
    attempt = case.attempt(clarabel, Way("eliminated", 1e-8), limit)
    assert attempt.failed == "stopped after 1.00 ms"
    climber = Climber(clarabel, limit)
    assert climber.climb(case).failed
    assert climber.stopped


def test_a_solve_comes_with_its_true_error(tmp_path):
    attempt = Case(published(60), 1.0, 1, tmp_path).attempt(
        rival_named("Clarabel"), Way("variables", 1e-10), 300.0
    )
    assert attempt.failed == ""
    assert 0.0 < attempt.error < 1e-2
    assert math.isfinite(attempt.seconds)


def test_ties_and_pairs_agree_with_the_ranking():
    drawn = synthetic(480, 8)
    assert with_ties(drawn, 1.0).rankings["rank"].max() == 1
    none = with_ties(drawn, 0.0).rankings.sort("reviewer", "paper")
    assert none.equals(drawn.rankings.sort("reviewer", "paper"))
    assert with_some_pairs(drawn, 1.0).rankings.height == 480 // 8 * (8 * 7 // 2)
    for changed in (with_ties(drawn, 0.5), with_some_pairs(drawn, 0.5)):
        assert unround.check(changed.reviews, changed.rankings) == ()


def test_bytes_of_a_sweep_count_each_array_once():
    conference = synthetic(480)
    problem = unround.dequantize(conference.reviews, conference.rankings, lam=1.0).internals.problem
    layout = lay_out(problem)
    before = swept_bytes(problem, layout)
    # At least given, lower, upper and the scores: eight bytes each a review.
    assert 32 * len(problem) < before < 200 * len(problem)
