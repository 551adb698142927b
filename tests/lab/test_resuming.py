"""Interrupted runs: nothing finished is computed again, and the end is the same."""

import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.lab.conftest import small_scores, small_study
from unround.lab.plan import plan_for
from unround.lab.results import tidy
from unround.lab.trials import runner
from unround.lab.trials.runner import Store, run, trials_of
from unround.lab.trials.trial import Measurement, TrialResult
from unround.lab.trials.versions import code_digest
from unround.progress import ProgressBar

pytestmark = pytest.mark.slow


@pytest.fixture
def plan():
    plan = plan_for(["noise"])
    return replace(plan, studies=tuple(small_study(study) for study in plan.studies))


@pytest.fixture
def counted(monkeypatch):
    """How often a trial was computed."""
    calls = []
    compute = runner.run_trial

    def run_trial(trial, scores):
        calls.append(trial)
        return compute(trial, scores)

    monkeypatch.setattr(runner, "run_trial", run_trial)
    return calls


def test_finished_trials_are_kept_and_only_missing_ones_computed(plan, counted, tmp_path):
    store = Store(tmp_path)
    few = run(trials_of(plan, 2, None), None, store, jobs=1)
    assert len(counted) == 6
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    steps = []
    trials = trials_of(plan, 3, None)
    many = run(trials, None, store, jobs=1, progress=lambda *step: steps.append(step))
    assert len(counted) == 9
    assert steps == [(6, 9), (7, 9), (8, 9), (9, 9)]  # with what was there
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert tidy(many).filter(tidy(many)["trial"] < 2).equals(tidy(few))


def test_a_trial_that_fails_leaves_the_others(plan, monkeypatch, tmp_path):
    compute, store, done = runner.run_trial, Store(tmp_path), []

    def stops_at_the_fourth(trial, scores):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(trial)
        return compute(trial, scores)

    monkeypatch.setattr(runner, "run_trial", stops_at_the_fourth)
    with pytest.raises(KeyboardInterrupt):
        run(trials_of(plan, 2, None), None, store, jobs=1)
    assert len(list(tmp_path.rglob("*.json"))) == 3
    monkeypatch.setattr(runner, "run_trial", compute)
    resumed = run(trials_of(plan, 2, None), None, store, jobs=1)
    whole = run(trials_of(plan, 2, None), None, Store(tmp_path / "other"), jobs=1)
    assert tidy(resumed).equals(tidy(whole))


def test_settings_that_studies_share_are_computed_once(counted, tmp_path):
    plan = plan_for(["noise", "load", "reviews"])
    small = replace(plan, studies=tuple(small_study(study) for study in plan.studies))
    trials = trials_of(small, 1, None)
    assert (len(trials), len({trial.key("") for trial in trials})) == (9, 7)
    run(trials, None, Store(tmp_path), jobs=1)
    assert len(counted) == 7


def test_progress_is_printed_where_output_goes_to_a_file(monkeypatch, capsys):
    monkeypatch.setattr("unround.progress.SECONDS_PER_LINE", 0.0)
    with ProgressBar(lines=True) as shown, ProgressBar(quiet=True, lines=True) as silent:
        for bar in (shown, silent):
            bar("trials", 3, 1_200)
    assert capsys.readouterr().err == "trials: 3 of 1,200\n"


def test_keys_follow_from_everything_that_matters(plan, tmp_path):
    (first, *others) = trials_of(plan, 2, None)
    assert len({trial.key("") for trial in (first, *others)}) == 6
    real = plan_for(["iclr"])
    of_real = trials_of(real, 1, small_scores())[0]
    assert of_real.key("one") != of_real.key("other")
    script = tmp_path / "mine.py"
    script.write_text("x = 1\n")
    with_code = replace(first, sources=(script,))
    before = with_code.key("")
    script.write_text("x = 2\n")
    assert with_code.key("") not in (before, first.key(""))


def test_stored_numbers_come_back_to_the_last_bit(tmp_path):
    rows = (Measurement("m", "k", 0.1 + 0.2), Measurement("m", "l", 1e-300, 2.0 / 3.0))
    Store(tmp_path).save("abcd", TrialResult(7, rows))
    assert Store(tmp_path).load("abcd") == TrialResult(7, rows)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["abcd.json"]


def test_two_processes_give_what_one_gives(plan, tmp_path):
    trials = trials_of(plan, 2, None)
    one = run(trials, None, Store(tmp_path / "one"), jobs=1)
    two = run(trials, None, Store(tmp_path / "two"), jobs=2)
    assert tidy(one).equals(tidy(two))


# The command, which is killed once five trials are saved.
KILLED = """
import os, signal
from unround.cli import main
from unround.lab.trials.runner import Store
save, saved = Store.save, []
def save_and_die(*trial):
    save(*trial)
    saved.append(trial)
    if len(saved) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
Store.save = save_and_die
main()
"""


def test_a_killed_process_resumes_where_it_stopped(tmp_path, call):
    def noise(folder):
        return "reproduce", "noise", "--trials", "12", "--jobs", "1", "-o", str(folder)

    folder, code = tmp_path / "killed", code_digest.__wrapped__()
    killed = subprocess.run([sys.executable, "-c", KILLED, *noise(folder)], check=False)
    assert killed.returncode == -signal.SIGKILL
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("trials/*/*.json")}
    assert len(before) == 5
    assert not (folder / "report.html").exists()
    again = call(*noise(folder))
    assert again.exit_code == 0, again.output
    if code_digest.__wrapped__() != code:
        pytest.skip("the source changed while the test ran, and with it the trials")
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("trials/*/*.json")}
    assert len(after) == 36
    assert {path: after[path] for path in before} == before
    whole = call(*noise(tmp_path / "whole"))
    assert whole.exit_code == 0, whole.output
    assert files_of(folder) == files_of(tmp_path / "whole")


def files_of(folder):
    """Every file's bytes but hidden drafts that a killed process left."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_workers_that_stand_elsewhere_write_to_the_right_folder(tmp_path, monkeypatch, call):
    """Workers live on between calls; a relative folder means the caller's, not theirs."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        done = call("reproduce", "noise", "--trials", 1, "--jobs", 2, "-o", "out")
        assert done.exit_code == 0, done.output
    trials = [len(list((tmp_path / name).rglob("trials/*/*.json"))) for name in ("one", "two")]
    assert trials[0] == trials[1] > 0
