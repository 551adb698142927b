"""An error in a researcher's own file is told with the function, the file and the line."""

import pytest

STUDY = '''"""A study of my own."""

import numpy as np
from unround.lab import Estimate, Study, data, method, metric
from unround.simulate import thurstone


@data("mine")
def draw(trial):
    return {draw}


@method("mine", "My own way")
def restore(case):
    return helper(case)


def helper(case):
    return {restore}


@metric("mine")
def measure(case, scores):
    return {measure}


STUDIES = [Study("mine", "Mine", data="mine", methods=["mine"], metrics=["mine"])]
'''
FINE = {"draw": "thurstone(8, seed=trial)", "restore": "case.given", "measure": "1.0"}


@pytest.fixture
def reproduced(call, tmp_path):
    def run(jobs=1, **lines):
        (tmp_path / "my_study.py").write_text(STUDY.format(**{**FINE, **lines}), "utf-8")
        out = tmp_path / "out"
        return call("reproduce", tmp_path / "my_study.py", "--trials", 2, "--jobs", jobs, "-o", out)

    return run


def test_the_study_runs(reproduced, tmp_path):
    done = reproduced()
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert '<th scope="col">Setting</th><th scope="col">My own way</th>' in page


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("part", "line", "words"),
    [
        ("draw", "[][3]", "the data set 'mine' failed at my_study.py, line 10: IndexError: list"),
        ("draw", "3", "line 8: TypeError: must return a Conference or a Sample, not int"),
        ("restore", "1 / 0", "the method 'mine' failed at my_study.py, line 19: ZeroDivisionError"),
        ("restore", "case.given[1:]", "one finite number per review (32), not an array of shape"),
        ("restore", "case.given * np.nan", "number per review (32), not 32 that are not finite"),
        ("restore", "'many'", "line 13: ValueError: could not convert string to float: 'many'"),
        ("restore", "thurstone(0)", "failed at my_study.py, line 19: a conference needs at least"),
        ("measure", "np.no_such", "the metric 'mine' failed at my_study.py, line 24: Attribute"),
    ],
)
def test_an_error_names_function_file_and_line(reproduced, tmp_path, jobs, part, line, words):
    done = reproduced(jobs, **{part: line})
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())
    assert "report it" not in done.output
    assert not (tmp_path / "out" / "report.html").exists()


def test_a_file_that_cannot_be_run(reproduced, call, tmp_path):
    for text, words in (
        ("import no_such_module\n", "line 1: ModuleNotFoundError: No module named"),
        ("\nx = (\n", "line 2: SyntaxError: '(' was never closed"),
    ):
        (tmp_path / "broken.py").write_text(text, "utf-8")
        done = call("reproduce", tmp_path / "broken.py", "-o", tmp_path / "out")
        assert done.exit_code == 2
        assert f"the file failed at broken.py, {words}" in " ".join(done.output.split())


def test_an_estimate_may_bring_its_lambda(reproduced, tmp_path):
    done = reproduced(restore="Estimate(case.given, 3.0)")
    assert done.exit_code == 0, done.output
    assert ",3.0," in (tmp_path / "out" / "tables" / "mine.csv").read_text("utf-8")
