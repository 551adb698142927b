"""A small part of `make faults`: its harness finds nothing here, and finds what is broken."""

from __future__ import annotations

import signal
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import unround
from tests.console.hosting import waited_for
from tests.faults import commands, console
from tests.faults.cases import Case
from tests.faults.tally import Tally

pytestmark = pytest.mark.slow


def test_a_console_on_sqlite_outlives_a_few_faults(tmp_path: Path):
    tally, random = Tally(), Random(1)
    with closing(console.Site(tally, "SQLite", tmp_path / "data", None)) as site:
        site.start()
        site.settle()
        site.act("check", random)
        console.kill_worker(site)
        site.check("worker killed during check")
        console.use_up_descriptors(site, 1, random, ("view", "upload"))
        console.fill_disk(site, 1, random, ("upload",))
    assert tally.breaches == []
    assert sum(tally.outcomes.values()) == 4


def test_a_killed_run_leaves_the_new_result_or_the_old_one(tmp_path: Path):
    unround.simulate.thurstone(20, seed=5).reviews.write_csv(tmp_path / "reviews.csv")
    words = ("run", str(tmp_path / "reviews.csv"), "--force", "--quiet")
    old = Case("old", (*words, "--lam", "3", "-o", "OUT"), "out")
    commands.measured(old, tmp_path / "old")
    new = Case("run", (*words, "--lam", "2", "-o", "DATA"), "data", tmp_path / "old" / "out")
    tally = Tally()
    commands.kill_commands(
        tally, [commands.measured(new, tmp_path / "new")], tmp_path, 4, Random(1)
    )
    assert tally.breaches == []
    assert sum(tally.outcomes.values()) == 4


def test_half_a_result_is_a_breach(tmp_path: Path):
    """A command that writes its file piece by piece, killed in between."""
    slow = (
        "import sys, time; print('half', file=open(sys.argv[1], 'w'), flush=True); time.sleep(60)"
    )
    program = (sys.executable, "-c", slow)
    case = Case("slow", ("OUT",), "out", whole="another", program=program)
    tally, folder = Tally(), tmp_path / "trial"

    def until_begun(_: object) -> None:
        assert waited_for((folder / "out").exists)

    assert commands.kill_once(tally, case, folder, signal.SIGKILL, until_begun, again=False)
    assert len(tally.breaches) == 1
    assert "half a result" in tally.breaches[0]
    assert "Breaches: 1." in tally.report()
