"""From Parquet on disk to Parquet on disk, as `unround bulk` does it, stage by stage and as a command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl

from benchmarks.gpu.data import MOST_LEVEL, draw
from unround.gpu.launch import cuda, to_host
from unround.runs.bulk import run_bulk
from unround.scale import Scale
from unround.settings import AUTO, Settings

SCALE = Scale.integers(0, MOST_LEVEL)
SETTINGS = Settings(scale=SCALE, lam=AUTO)
Rows = Iterator[tuple[str, ...]]
# What was done when a stage of the run tells so.
DONE = {
    ("reading", 1): "read the file, send it to the GPU",
    ("reading", 2): "number the ids, group by reviewer",
    ("validating", 1): "choose λ",
    ("solving", 1): "solve and certify",
    ("solving", 2): "percentiles and papers",
}
# The command, and the most memory (KB) that its process had: what wait4 tells counts its parent's too.
MEASURED = """
from unround.cli.group import commands
commands(standalone_mode=False)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
WRITTEN = "fetch and write, to the disk"


class Stages:
    """Seconds of each stage, all work on the GPU done when its clock is read."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def __call__(self, stage: str, done: int, total: int) -> None:
        name = WRITTEN if stage == "saving" and done else DONE.get((stage, done), "")
        self.count(name)

    def count(self, name: str) -> None:
        """Add the time since the last stage to one."""
        cuda.synchronize()
        now = perf_counter()
        if name:
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now


def write_input(reviews: int, folder: Path) -> Path:
    """Write a drawn conference in a random order of rows, with ids that are no numbers from 0."""
    conference = draw(reviews)
    paper, level, worth = (to_host(each) for each in conference[1:4])
    random = np.random.default_rng(1)
    rows = random.permutation(paper.size)
    reviewer = rows // 4
    path = folder / "reviews.parquet"
    pl.DataFrame(
        {
            "reviewer": reviewer.astype(np.int64) * 7919 + 100_000,
            "paper": paper[rows].astype(np.int64) * 104_729 + 5,
            "score": level[rows].astype(np.float64),
            "rank": (4 - worth[rows]).astype(np.int64),
        }
    ).write_parquet(path, compression="lz4")
    return path


def file_stages(sizes: list[int]) -> Rows:
    """Every stage of each size after a run of the smallest, which compiles; then the command by itself."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_bulk(write_input(sizes[0], folder), folder / "out", SETTINGS, Stages())
        for size in sizes:
            path = write_input(size, folder)
            stages = Stages()
            record = run_bulk(path, folder / "out", SETTINGS, stages, force=True)
            stages.count(WRITTEN)
            written = sum(each.stat().st_size for each in (folder / "out").rglob("*.parquet"))
            label = f"{size:,}"
            for stage, seconds in stages.seconds.items():
                yield label, stage, f"{seconds:.2f} s"
            yield label, "**all**", f"**{sum(stages.seconds.values()):.2f} s**"
            proven = record["certificate"]["max_error"]
            yield label, "bound proven by the certificate", f"{proven:.0e}"
            yield label, "file read", f"{path.stat().st_size / 1e9:.1f} GB"
            yield label, "files written", f"{written / 1e9:.1f} GB"
            seconds, memory = _command(path, folder / "out")
            yield label, "`unround bulk`, start and compiling included", f"{seconds:.2f} s"
            yield label, "most memory of that process on the host", f"{memory / 1e9:.1f} GB"


def _command(path: Path, out: Path) -> tuple[float, int]:
    """Run the command in a process of its own; return its seconds and the most memory it had."""
    words = ["bulk", str(path), "-o", str(out), "--force", "--quiet", "--scale", f"0..{MOST_LEVEL}"]
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words], check=True, capture_output=True, text=True
    )
    return perf_counter() - began, 1024 * int(done.stdout.split()[-1])
