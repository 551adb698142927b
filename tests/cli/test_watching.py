"""A command that memory, a library or a signal ends: a sentence, an exit code, and no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from unround.cli.watching import SENTENCE
from unround.standstill import Standstill

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="not watched here")
WATCHED = "from unround.cli.watching import work_watched\nimport os, signal, sys, time\n"


def started(work: str, *, here: bool = False) -> subprocess.Popen[str]:
    program = f"{WATCHED}def work():\n    {work}\nwork_watched(work, here={here})"
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ended(work: str, *, here: bool = False) -> tuple[int, str]:
    process = started(work, here=here)
    _, told = process.communicate(timeout=60)
    return process.returncode, told


@pytest.mark.parametrize(
    "work",
    [
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os.abort()",
        "os._exit(1)",  # as OpenBLAS does
        "signal.raise_signal(signal.SIGINT)",  # as OpenBLAS does where it cannot start a thread
        "raise MemoryError",
        "raise ImportError('failed to map segment from shared object')",
        "raise type('PanicException', (BaseException,), {})('a library written in Rust gave up')",
    ],
)
def test_work_that_is_ended_has_a_sentence_and_an_exit_code(work):
    assert ended(work) == (4, f"{SENTENCE}\n")


def test_a_server_that_is_ended_has_the_sentence():
    code, told = ended("os.abort()", here=True)
    assert (code, told) == (-signal.SIGABRT, f"{SENTENCE}\n")


@pytest.mark.parametrize("here", [False, True])
def test_work_that_ends_by_itself_has_its_own_exit_code(here):
    assert ended("sys.exit(3)", here=here) == (3, "")
    assert ended("sys.exit('a sentence of its own')", here=here) == (1, "a sentence of its own\n")
    assert ended("pass", here=here) == (0, "")


def test_errors_in_the_program_are_seen():
    code, told = ended("raise RuntimeError('boom')")
    assert code == 1
    assert "RuntimeError: boom" in told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_reach_the_work(number):
    process = started(
        f"signal.signal({int(number)}, lambda *_: sys.exit(9)); print('on', flush=True); time.sleep(60)"
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    assert process.wait(30) == 9
    process.communicate()


def test_an_interrupt_is_no_want_of_memory():
    process = started("print('on', flush=True); time.sleep(60)")
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (130, "")


def test_a_signal_before_the_command_can_take_it():
    assert ended("os.kill(os.getpid(), signal.SIGTERM)") == (143, "")


def test_work_dies_with_the_process_that_was_started():
    process = started("print(os.getpid(), flush=True); time.sleep(60)")
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    assert worker != process.pid
    process.kill()
    process.communicate()
    end = time.monotonic() + 30
    while os.path.exists(f"/proc/{worker}") and time.monotonic() < end:
        time.sleep(0.02)
    assert not os.path.exists(f"/proc/{worker}")


@pytest.mark.parametrize(
    ("work", "stands_still"),
    [
        ("lock = threading.Lock(); lock.acquire(); print(1, flush=True); lock.acquire()", True),
        ("print(1, flush=True); time.sleep(60)", False),
        ("print(1, flush=True); sys.stdin.read()", False),
        ("print(1, flush=True); subprocess.run(['sleep', '60'])", False),
        (
            "import socket; ends = socket.socketpair(); lock = threading.Lock(); lock.acquire(); "
            "print(1, flush=True); lock.acquire()",
            False,
        ),
    ],
)
def test_a_process_whose_threads_wait_for_one_another_stands_still(work, stands_still):
    program = f"import subprocess, sys, threading, time; {work}"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as process:
        process.stdout.readline()
        watch = Standstill(process.pid, looks=3)
        looks = []
        for _ in range(6):
            time.sleep(0.05)
            looks.append(watch.lasts())
        os.killpg(process.pid, signal.SIGKILL)
    assert any(looks) == stands_still
    assert not watch.lasts()  # it has ended


@pytest.mark.slow
def test_memory_that_runs_out_ends_in_a_sentence(conference, tmp_path):
    """Of what is compiled, some libraries do not raise an error: they end the process."""
    limit = 900_000  # kilobytes of addresses: enough to start, too few for all threads and tables
    line = f'ulimit -v {limit} && exec "$0" -m unround run "$1" --quiet -o "$2"'
    command = ["sh", "-c", line, sys.executable, conference / "reviews.csv", tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert "too little memory for" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_openblas_is_refused_a_buffer_that_memory_has_no_room_for():
    """SciPy's OpenBLAS would ask again for ever."""
    program = (
        "import resource, scipy.linalg.lapack\n"
        "from unround.openblas import take_buffer\n"
        "pages = int(open('/proc/self/statm').read().split()[0])\n"
        "limit = pages * resource.getpagesize() + 30_000_000\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "try:\n    take_buffer()\nexcept MemoryError:\n    print('told')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "told\n"
