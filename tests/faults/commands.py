"""Commands killed at random moments: the result is whole, the old one, or not there."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from uuid import uuid4

from tests.console.hosting import waited_for
from tests.faults.cases import Case
from tests.faults.results import strays, visible
from tests.faults.tally import Tally

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
MARK = "UNROUND_FAULT"  # an environment variable by which processes of a command are found
PATIENCE = 300.0


def measured(case: Case, folder: Path) -> Case:
    """Return a command with how long it takes and what it writes when nothing happens."""
    case.prepare(folder)
    began = time.monotonic()
    environment = {**os.environ, **case.environment}
    command = case.command(folder)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    seconds = time.monotonic() - began
    return replace(case, seconds=seconds, whole=visible(case, folder))


def kill_commands(
    tally: Tally, all_cases: Sequence[Case], scratch: Path, kills: int, random: Random
) -> None:
    """Kill commands in turn, each at a moment of its own."""
    known = {case.name: case for case in all_cases}
    killed = tries = 0
    while killed < kills and tries < 5 * kills:
        name = list(known)[killed % len(known)]
        case = known[name]
        # Late moments are likelier: that is when files are written.
        wait = partial(_wait_for, seconds=case.seconds * random.random() ** 0.5)
        how, again = random.choice(SIGNALS), killed % 5 == 0
        if kill_once(tally, case, scratch / f"{tries}", how, wait, again=again):
            killed += 1
        else:  # it ended first: the next kill comes earlier
            known[name] = replace(case, seconds=0.8 * case.seconds)
        tries += 1


def kill_once(
    tally: Tally,
    case: Case,
    folder: Path,
    number: signal.Signals,
    wait: Callable[[subprocess.Popen[bytes]], object],
    *,
    again: bool,
) -> bool:
    """Kill a command after a wait, and look at what it left; `again`: repeat it to its end.

    False if it had ended before.
    """
    case.prepare(folder)
    before, mark = visible(case, folder), uuid4().hex
    fault = f"`unround {case.name}` killed"
    process = subprocess.Popen(
        case.command(folder),
        env={**os.environ, **case.environment, MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait(process)
    if process.poll() is not None:
        return False
    process.send_signal(number)
    process.wait()
    if not waited_for(lambda: not _marked(mark), 15):
        tally.breach(fault, f"{len(_marked(mark))} processes live on after {number.name}")
    found = visible(case, folder)
    if found not in (case.whole, before):
        tally.breach(fault, f"half a result after {number.name} ({folder})")
    _check_data(tally, fault, case, folder)
    tally.note(fault, "the whole result" if found and found == case.whole else "no result")
    if again:
        done = subprocess.run(
            case.command(folder),
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, **case.environment},
        )
        repeated = found and "already" in done.stderr + done.stdout
        if done.returncode not in (0, 1) and not repeated and not _says_there(done.stderr):
            tally.breach(fault, f"not repeated afterwards: {done.stderr.strip()[-300:]}")
        elif visible(case, folder) != case.whole:
            tally.breach(fault, "another result when it was repeated")
        _check_data(tally, fault, case, folder)
        if drafts := sorted(path.name for path in folder.rglob("*.unfinished-*")):
            tally.breach(fault, f"drafts after it was repeated: {drafts}")
    return True


def _check_data(tally: Tally, fault: str, case: Case, folder: Path) -> None:
    """Compare every file of a console's data folder with what its database says."""
    data = case.data(folder)
    if data is None or not (data / "uploads").is_dir() or (data / "restoring").exists():
        return
    if found := strays(data):
        tally.breach(fault, f"left in the data folder: {found}")


def _wait_for(process: subprocess.Popen[bytes], seconds: float) -> None:
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


def _says_there(text: str) -> bool:
    return any(word in text for word in ("--force", "name another", "holds data already"))


def _marked(mark: str) -> list[int]:
    """Return the processes that a command started."""
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
