"""Two processes per command: one works, and a small one tells when the system or a library ends it.

Where memory runs out, libraries that are machine code end their process, each in a way of its own, and the
system kills. Whoever called the command gets a sentence and an exit code all the same.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from unround.cli.exit_codes import INTERRUPTED, NOT_POSSIBLE, WHOLE
from unround.memory import is_out_of_memory, is_panic
from unround.standstill import SECONDS, Standstill

SENTENCE = (
    "Not possible: the command was ended from outside or by a library that it uses, most often because "
    f"this machine has too little memory for it or lets it start too few threads. {WHOLE}"
)
_TASKS = Path("/proc/self/task")
_PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_WAITED_FOR = (signal.SIGCHLD, *_PASSED_ON)
_FROM_THE_KERNEL = 0x80  # a signal's si_code: the terminal sent it, to both processes
_PR_SET_PDEATHSIG = 1


def work_watched(work: Callable[[], None], *, here: bool) -> None:
    """Do the work in a second process, end with its exit code, and say the sentence if it has none.

    here: Do the work in this process. The second one watches, and can only say the sentence.
    """
    if not _can_fork():
        work()
        return
    read, write = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, no end of a child would be told
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, () if here else _WAITED_FOR)
    first = os.getpid()
    try:
        second = os.fork()
    except OSError:  # too little memory or too many processes: nobody watches
        here, second = True, -1
    if here == (second != 0):
        os.close(read)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        _work(work, write, None if here else first)
        return
    os.close(write)
    if here:
        _wait_for_word(read)
    _wait_for_end(second, read)


def _can_fork() -> bool:
    """Return whether a fork is safe: with other threads it is not."""
    return _TASKS.is_dir() and len(list(_TASKS.iterdir())) == 1


def _work(work: Callable[[], None], write: int, first: int | None) -> None:
    """Do the work, and say farewell however it ends, unless memory ran out."""
    try:
        if first is not None:
            _end_with(first)
        work()
    except KeyboardInterrupt:  # before the command could take it
        _say_farewell(write)
        os._exit(INTERRUPTED)
    except BaseException as error:
        if is_panic(error) or is_out_of_memory(error):
            os._exit(NOT_POSSIBLE)
        _say_farewell(write)
        raise
    _say_farewell(write)


def _say_farewell(write: int) -> None:
    with suppress(BrokenPipeError):  # somebody ended the other process
        os.write(write, b".")
    os.close(write)


def _end_with(first: int) -> None:
    """Have the system kill this process when the first one is killed."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != first:  # it was killed before it was asked for
        os._exit(128 + signal.SIGKILL)


def _wait_for_end(child: int, read: int) -> NoReturn:
    """Pass signals on to the child until it has ended, and end with its exit code."""
    ended, status, standstill, interrupted = 0, 0, Standstill(child), False
    while not ended:
        told = signal.sigtimedwait(_WAITED_FOR, SECONDS)
        interrupted |= told is not None and told.si_signo == signal.SIGINT
        if told is None and standstill.lasts():
            os.kill(child, signal.SIGKILL)
        elif told and told.si_signo in _PASSED_ON and told.si_code != _FROM_THE_KERNEL:
            os.kill(child, told.si_signo)
        ended, status = os.waitpid(child, os.WNOHANG)
    os.set_blocking(read, False)  # processes that the child left may still hold the other end
    os._exit(_exit_code(os.waitstatus_to_exitcode(status), bool(_word(read)), interrupted))


def _exit_code(code: int, said_farewell: bool, interrupted: bool) -> int:
    """Return the exit code of a child; say the sentence where neither it nor its caller chose its end."""
    if -code in _PASSED_ON:
        return 128 - code
    # OpenBLAS interrupts its own process where it cannot start a thread.
    if code < 0 or not said_farewell or (code == INTERRUPTED and not interrupted):
        _say()
        return NOT_POSSIBLE
    return code


def _wait_for_word(read: int) -> NoReturn:
    """Wait for the other process's farewell, or for its end without one."""
    for number in _PASSED_ON:
        signal.signal(number, signal.SIG_IGN)  # they go to a whole group, and the other one decides
    for stream in (0, 1):
        os.close(stream)
    if not _word(read):
        _say()
    os._exit(0)


def _word(read: int) -> bytes:
    try:
        return os.read(read, 1)
    except BlockingIOError:
        return b""


def _say() -> None:
    with suppress(OSError):  # full
        os.write(2, f"{SENTENCE}\n".encode())
