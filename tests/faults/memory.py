"""Commands with too little memory: each ends soon, in a sentence, and its result is whole or not there."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Timer

from tests.faults.cases import UNROUND, Case
from tests.faults.results import visible
from tests.faults.tally import Tally

KILOBYTE = 1024
LIMITS = (300_000, 600_000, 900_000, 1_300_000, 2_200_000)  # kilobytes, as ulimit -v takes them
PATIENCE = 240.0
NOT_POSSIBLE = 4
SENTENCES = ("too little memory", "raise the limit")


def starve(tally: Tally, known: Sequence[Case], scratch: Path) -> None:
    """Run every command and the server under each limit."""
    starve_commands(tally, known, scratch)
    starve_server(tally, scratch)


def starve_commands(
    tally: Tally, known: Sequence[Case], scratch: Path, limits: Sequence[int] = LIMITS
) -> None:
    """Run every command under each limit, in a folder of its own."""
    for case in known:
        for limit in limits:
            starve_once(tally, case, scratch / f"{case.folder_name}-{limit}", limit)


def starve_once(tally: Tally, case: Case, folder: Path, limit: int) -> None:
    """Run a command under a limit of addresses, and look at what it said and left."""
    case.prepare(folder)
    before = visible(case, folder)
    fault = f"`unround {case.name}` with too little memory"
    process = _started(case.command(folder), limit, case.environment)
    try:
        _, told = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _, told = process.communicate()
        tally.breach(fault, f"no end after {PATIENCE:.0f} s with {limit:,} kB: {told[-300:]}")
        return
    found, code = visible(case, folder), process.returncode
    _check_words(tally, fault, limit, code, told)
    if code not in (0, NOT_POSSIBLE):
        tally.breach(fault, f"exit code {code} with {limit:,} kB: {told.strip()[-600:]}")
    if found not in (case.whole, before) or (not code and found != case.whole):
        tally.breach(fault, f"half a result with {limit:,} kB")
    tally.note(fault, "a sentence" if code else "done")


def starve_server(tally: Tally, scratch: Path, limits: Sequence[int] = LIMITS) -> None:
    """Start a server under each limit: it serves, or ends in a sentence."""
    fault = "`unround serve` with too little memory"
    for limit in limits:
        words = ["serve", "--port", "0", "--data", str(scratch / f"serve-{limit}")]
        process = _started([*UNROUND, *words], limit, {})
        giving_up = Timer(PATIENCE, process.kill)
        giving_up.start()
        assert process.stdout is not None
        serves = any("/enter#" in line for line in process.stdout)
        if not giving_up.is_alive():
            tally.breach(fault, f"no end and no link after {PATIENCE:.0f} s with {limit:,} kB")
        giving_up.cancel()
        if serves:
            process.terminate()
        _, told = process.communicate()
        if not serves:
            _check_words(tally, fault, limit, process.returncode, told)
        tally.note(fault, "serves" if serves else "a sentence")


def _started(command: list[str], limit: int, more: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(_limit_addresses, limit * KILOBYTE),
    )


def _check_words(tally: Tally, fault: str, limit: int, code: int, told: str) -> None:
    if "Traceback" in told:
        tally.breach(fault, f"a traceback with {limit:,} kB: {told.strip()[-600:]}")
    elif code and not any(one in told for one in SENTENCES):
        tally.breach(fault, f"no sentence with {limit:,} kB: {told.strip()[-600:]}")


def _limit_addresses(limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
