"""Commands killed at random moments: the result is whole, the old one, or not there."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from uuid import uuid4

from tests.faults.tally import Tally
from unround.console.settings import ConsoleSettings

UNROUND = (sys.executable, "-c", "from unround.cli import main; main()")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MARK = "UNROUND_FAULT"  # an environment variable by which processes of a command are found
PATIENCE = 300.0
STUDY = """
[[study]]
name = "tiny"
title = "A tiny study"
data = "thurstone"
methods = ["quantized", "proposed"]
metrics = ["kendall"]
sweep = { noise = [0.2, 1.0] }
fixed = { papers = 12 }
symbol = "σ"
"""


@dataclass(frozen=True)
class Case:
    """A command, what it writes, and what it writes when nothing happens."""

    name: str
    arguments: tuple[str, ...]
    output: str  # relative to the folder of one trial; empty: it writes nothing
    seconds: float = 0.0
    whole: str = ""
    program: tuple[str, ...] = UNROUND

    def command(self, folder: Path) -> list[str]:
        output = str(folder / self.output)
        return [*self.program, *(one.replace("OUT", output) for one in self.arguments)]


def cases(inputs: Path) -> list[Case]:
    """Every command that writes something, on a small conference."""
    reviews, rankings = str(inputs / "reviews.csv"), str(inputs / "rankings.csv")
    read = (reviews, "--rankings", rankings)
    run, backup = str(inputs / "run"), str(inputs / "console.backup")
    return [
        Case("run", ("run", *read, "--lam", "2", "--force", "--quiet", "-o", "OUT"), "out"),
        Case("check", ("check", *read, "--output", "OUT"), "issues.csv"),
        Case("report", ("report", run, "--all-area-chairs", "-o", "OUT"), "pages"),
        Case("convert", ("convert", *read, "-o", "OUT"), "plain"),
        Case("export", ("export", run, "--to", "hotcrp", "-o", "OUT"), "hotcrp.csv"),
        Case("simulate", ("simulate", "--papers", "300", "-o", "OUT"), "made"),
        Case("compare", ("compare", *read, "--quiet", "-o", "OUT"), "comparison"),
        Case("audit", ("audit", "privacy", run, "--sample", "3"), ""),
        Case(
            "reproduce",
            (
                "reproduce",
                str(inputs / "tiny.toml"),
                "--trials",
                "1",
                "--jobs",
                "2",
                "--quiet",
                "-o",
                "OUT",
            ),
            "experiments",
        ),
        Case("backup", ("backup", "OUT", "--data", str(inputs / "data")), "made.backup"),
        Case("restore", ("restore", backup, "--data", "OUT"), "data"),
    ]


def prepare(inputs: Path) -> None:
    """Make the conference, a finished run, and a console's data with their backup."""
    from unround.console.lifecycle import open_console, start_link

    inputs.mkdir(parents=True)
    _call(["simulate", "--papers", "60", "--seed", "1", "-o", str(inputs / "made")])
    (inputs / "tiny.toml").write_text(STUDY, "utf-8")
    for path in (inputs / "made").iterdir():
        path.rename(inputs / path.name)
    read = [str(inputs / "reviews.csv"), "--rankings", str(inputs / "rankings.csv")]
    _call(["run", *read, "--lam", "4", "--quiet", "-o", str(inputs / "run")])
    with open_console(ConsoleSettings(data=inputs / "data")) as console:
        start_link(console)
    _call(["backup", str(inputs / "console.backup"), "--data", str(inputs / "data")])


def kill_commands(tally: Tally, inputs: Path, scratch: Path, kills: int, random: Random) -> None:
    """Kill commands in turn, each at a moment of its own."""
    known = {case.name: _measured(case, scratch / f"whole-{case.name}") for case in cases(inputs)}
    before = digest(inputs)
    killed = tries = 0
    while killed < kills and tries < 5 * kills:
        name = list(known)[killed % len(known)]
        case = known[name]
        # Late moments are likelier: that is when files are written.
        wait = partial(time.sleep, case.seconds * random.random() ** 0.5)
        how, again = random.choice(SIGNALS), killed % 5 == 0
        if kill_once(tally, case, scratch / f"{tries}", how, wait, again=again):
            killed += 1
        else:  # it ended first: the next kill comes earlier
            known[name] = replace(case, seconds=0.8 * case.seconds)
        tries += 1
    if digest(inputs) != before:
        tally.breach("commands", "an input was changed")


def _measured(case: Case, folder: Path) -> Case:
    folder.mkdir(parents=True)
    began = time.monotonic()
    subprocess.run(case.command(folder), check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    return replace(case, seconds=seconds, whole=_visible(case, folder))


def kill_once(
    tally: Tally,
    case: Case,
    folder: Path,
    number: signal.Signals,
    wait: Callable[[], object],
    *,
    again: bool,
) -> bool:
    """Kill a command after a wait, and look at what it left; `again`: repeat it to its end.

    False if it had ended before.
    """
    folder.mkdir(parents=True)
    mark = uuid4().hex
    fault = f"`unround {case.name}` killed"
    process = subprocess.Popen(
        case.command(folder),
        env={**os.environ, MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait()
    if process.poll() is not None:
        return False
    process.send_signal(number)
    process.wait()
    found = _visible(case, folder)
    if found not in (case.whole, ""):
        tally.breach(fault, f"half a result after {number.name} ({folder})")
    left = _left_processes(mark)
    if left:
        tally.breach(fault, f"{len(left)} processes live on after {number.name}")
    tally.note(fault, "the whole result" if found and found == case.whole else "no result")
    if again:
        done = subprocess.run(
            case.command(folder), check=False, capture_output=True, text=True, timeout=PATIENCE
        )
        repeated = found and "already" in done.stderr + done.stdout
        if done.returncode not in (0, 1) and not repeated and not _says_there(done.stderr):
            tally.breach(fault, f"not repeated afterwards: {done.stderr.strip()[-300:]}")
        elif _visible(case, folder) != case.whole:
            tally.breach(fault, "another result when it was repeated")
    return True


def _says_there(text: str) -> bool:
    return any(word in text for word in ("--force", "name another", "holds data already"))


def _left_processes(mark: str, seconds: float = 15.0) -> list[int]:
    """Return processes that a command started and that do not end after it."""
    deadline = time.monotonic() + seconds
    while (left := _marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def _marked(mark: str) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                environment = (process / "environ").read_bytes()
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if mark.encode() in environment and state != "Z":
                found.append(int(process.name))
    return found


def _visible(case: Case, folder: Path) -> str:
    """Return a hash of what a person sees as the result, or nothing where there is none."""
    target = folder / case.output
    if not case.output or not target.exists():
        return ""
    if case.name == "backup":  # times and random ids differ: whole means that it can be checked
        return "whole" if _is_whole_backup(target) else "broken"
    if case.name == "restore":
        return _restored(target)
    if case.name == "reproduce":  # keeps finished trials on purpose; its report comes last
        target = target / "REPORT.md"
        return digest(target) if target.exists() else ""
    return digest(target)


def _is_whole_backup(file: Path) -> bool:
    from unround.console.storage.archive import read_manifest
    from unround.errors import UsageError

    try:
        read_manifest(file)
    except UsageError:
        return False
    return True


def _restored(data: Path) -> str:
    """Return what a server would make of a folder: all of it, or a sentence and nothing."""
    from unround.console.storage.opening import open_alone
    from unround.console.storage.orm import LinkRow
    from unround.errors import UsageError

    if (data / "restoring").exists() or not _has_tables(data / "unround.db"):
        return ""
    try:
        with open_alone(ConsoleSettings(data=data)) as database, database.reading() as session:
            return "whole" if session.query(LinkRow).count() else ""
    except UsageError:
        return "broken"


def _has_tables(file: Path) -> bool:
    if not file.exists():
        return False
    with closing(sqlite3.connect(file)) as database:
        return bool(database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone())


def digest(target: Path) -> str:
    """Return one hash of a file, or of all files of a folder that are not hidden."""
    if target.is_file():
        return hashlib.sha256(target.read_bytes()).hexdigest()
    whole = hashlib.sha256()
    for path in sorted(target.rglob("*")):
        relative = path.relative_to(target)
        if path.is_file() and not any(part.startswith(".") for part in relative.parts):
            if relative.parts[0] == "data":  # the console's own, which a backup opens
                continue
            whole.update(f"{relative}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _call(arguments: Sequence[str]) -> None:
    subprocess.run([*UNROUND, *arguments], check=True, stdout=subprocess.DEVNULL)
