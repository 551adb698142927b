"""python -m benchmarks.console.memory: what a server's memory is made of while area chairs stay (SOAK.md).

It is measured twice at the same time: with as many of glibc's arenas as threads ask for, and with two.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from benchmarks.console.hosting import console, host
from benchmarks.console.visitors import stay
from benchmarks.harness.machine import machine

RESULTS = Path(__file__).parents[1] / "SOAK.md"
SAMPLED = """\
import ctypes, sys, threading, time

class Info(ctypes.Structure):
    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]

mallinfo = ctypes.CDLL(None).mallinfo2
mallinfo.restype = Info

def sample(path):
    start = time.time()
    with open(path, "w") as out:
        while True:
            (held,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS"))
            info, blocks = mallinfo(), sys.getallocatedblocks()
            print(time.time() - start, int(held) / 1e3, info.uordblks / 1e6, info.fordblks / 1e6, blocks,
                  file=out, flush=True)
            time.sleep(5)

threading.Thread(target=sample, args=(sys.argv.pop(1),), daemon=True).start()
from unround.cli import main
main()
"""
HEAD = """\
# The console's memory

Written by `python -m benchmarks.console.memory --seconds {seconds:.0f}`: {people} area chairs of a conference
with {papers:,} papers stay, each with about one request every {pause:.0f} s, on SQLite. {machine}.

The objects of Python and the memory that malloc has given out stay the same. What grows is memory that glibc
keeps for its threads after they freed it: each of up to 16 arenas on two cores grows to what its busiest
thread once needed. With `MALLOC_ARENA_MAX=2`, as in `examples/operating/unround.service`, there are two.
"""
TABLE = """
## {name}

{requests:,} requests, {errors} errors.

| after s | process MB | in use by malloc MB | freed, kept by malloc MB | blocks of Python |
|---:|---:|---:|---:|---:|
{rows}
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.console.memory", description=__doc__
    )
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--pause", type=float, default=2.0, help="mean pause between requests")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    settings = {
        "As many arenas as threads ask for": {},
        "MALLOC_ARENA_MAX=2": {"MALLOC_ARENA_MAX": "2"},
    }
    with ThreadPoolExecutor(2) as both:
        tables = both.map(lambda item: _measured(chosen, *item), settings.items())
    head = HEAD.format(
        seconds=chosen.seconds,
        people=chosen.visitors,
        papers=chosen.papers,
        pause=chosen.pause,
        machine="; ".join(f"{name}: {value}" for name, value in machine()),
    )
    chosen.output.write_text(head + "".join(tables), "utf-8")
    print(chosen.output.read_text("utf-8"))


def _measured(chosen: argparse.Namespace, name: str, environment: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory(prefix="unround-memory-") as made:
        folder = Path(made)
        samples, program = folder / "samples", folder / "serve.py"
        program.write_text(SAMPLED)
        command = [str(program), str(samples)]
        with console(folder / "data", None, command, environment) as server:
            hosted = host(server, folder, chosen.papers, 500)
            few = replace(hosted, secrets=hosted.secrets[: chosen.visitors])
            time.sleep(20)  # until all views are made
            began = os.stat(samples).st_size
            visits = stay(few, 10.0, chosen.seconds, chosen.pause)
        lines = samples.read_text()[began:].splitlines()
    rows = [[float(value) for value in line.split()] for line in lines]
    every = max(len(rows) // 12, 1)
    return TABLE.format(
        name=name,
        requests=len(visits),
        errors=sum(visit.status >= 400 for visit in visits),
        rows="\n".join(
            f"| {at - rows[0][0]:.0f} | {held:.0f} | {used:.0f} | {freed:.0f} | {blocks:,.0f} |"
            for at, held, used, freed, blocks in [*rows[::every], rows[-1]]
        ),
    )


if __name__ == "__main__":
    main()
