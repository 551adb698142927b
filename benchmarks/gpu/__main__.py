"""python -m benchmarks.gpu: measures this machine's GPU and writes benchmarks/GPU.md."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.gpu import sections as measured
from benchmarks.gpu.files import file_stages
from benchmarks.gpu.kinds import PARTS
from benchmarks.gpu.timing import copy_speed
from unround.gpu.launch import cuda, xp

RESULTS = Path(__file__).parents[1] / "GPU.md"
SIZES = [10_000_000, 100_000_000, 1_000_000_000]
SMALL = 1_000_000  # where the processor does the same
SECTION = "\n\n## "
COUNTED = """Bytes are those that a sweep cannot do without: for each review its cell and height (a byte
each), its paper, the centre, its score written, its place and its score read again for the mean; for each
paper its start, its centre and its mean; for each chain its start. "Copy" is the time in which the GPU
copies as many bytes, read and written, at the speed above; the ratio is to that time."""


class Table(NamedTuple):
    """A section of GPU.md; its rows are measured when they are asked for."""

    title: str
    head: str
    rows: Iterable[tuple[str, ...]]
    note: str

    def measured(self) -> str:
        """Measure the rows, and return the section."""
        lines = [f"| {self.head} |", "|" + "---|" * (self.head.count("|") + 1)]
        for row in self.rows:
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
        return f"{self.title}\n\n" + "\n".join(lines) + f"\n\n{self.note}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="the most reviews")
    parser.add_argument(
        "--only", default="", metavar="TITLE", help="measure one section again, and keep the others"
    )
    parser.add_argument("-o", "--output", type=Path, default=RESULTS, metavar="FILE")
    chosen = parser.parse_args()
    sizes = [size for size in SIZES if size <= chosen.largest] or [chosen.largest]
    speed = copy_speed()
    sections = [_head(speed)]
    if chosen.only:
        sections = chosen.output.read_text(encoding="utf-8").strip().split(SECTION)
    for table in chain(_tables(sizes, min(chosen.largest, SMALL), speed), _file_tables(sizes)):
        if not table.title.startswith(chosen.only):
            continue
        if chosen.only:
            place = [each.partition("\n")[0] for each in sections].index(table.title)
            sections[place] = f"{table.measured()} Measured by itself on {datetime.date.today()}."
        else:
            sections.append(table.measured())
        chosen.output.write_text(SECTION.join(sections) + "\n", encoding="utf-8")


def _head(speed: float) -> str:
    total = cuda.current_context().get_memory_info()[1]
    name = cuda.get_current_device().name
    name = name.decode() if isinstance(name, bytes) else name
    packages = ", ".join(f"{each} {_version(each)}" for each in ("numba", "numba-cuda", "numpy"))
    packages += f", CuPy {xp.__version__}"
    return (
        '# The engine "gpu", measured\n\n'
        f"Written by `python -m benchmarks.gpu` on {datetime.date.today()}: {name} with "
        f"{total / 1e9:.0f} GB, {os.cpu_count()} processors beside it; {packages}. The GPU copies "
        f"{speed / 1e12:.2f} TB/s, read and written, in copies of 8 GiB.\n\n"
        "Conferences are drawn on the GPU: four reviews per paper, four papers per reviewer, scores "
        "0 to 10, strict rankings; everything is float64 and to a bound of 1e-9. Times are medians after "
        f"a first run, which compiles. {COUNTED}"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(unknown)"


def _tables(sizes: list[int], small: int, speed: float) -> Iterable[Table]:
    yield Table(
        "λ chosen and solved, from arrays on the GPU to scores on the GPU",
        "reviews | time | λ | sweeps | bytes of the sweeps | copy | ratio",
        measured.choosing(sizes, speed, 3),
        "All of it but the certificate: 40 values of λ with their Kendall-tau errors, and the final solve.",
    )
    yield Table(
        f"The certificate alone, λ = {measured.LAM:g}",
        "reviews | time | bound",
        measured.certifying(_within([small, *sizes])),
        "By the processor, from scores on the GPU, a piece at a time; a second run each.",
    )
    yield Table(
        "One sweep",
        "reviews | time | projection alone | bytes | copy | ratio",
        measured.sweeping(_within(sizes), speed, 20),
        "The conference is random: a sweep fetches its papers from everywhere.",
    )
    yield Table(
        "Against the CPU, every kind of order, scale and policy",
        "statements | reviews | λ | largest difference | same bits twice | CPU | GPU",
        measured.agreeing(small),
        "From and to arrays on the host, without building the problem; both to a bound of 1e-10. "
        f"Conferences of {small // PARTS:,} reviews, side by side in one problem.",
    )
    yield Table(
        'From tables to a result with its certificate, lam="auto"',
        "engine | reviews | time | proven bound",
        measured.whole_runs(small),
        "Reading, checking, building and the certificate are the CPU's in both.",
    )


def _file_tables(sizes: list[int]) -> Iterable[Table]:
    yield Table(
        "From Parquet on disk to Parquet on disk",
        "reviews | stage | time",
        file_stages(_within(sizes)),
        "Rows in random order, ids of 64 bits. Written: every review with its new score and percentile, and "
        "the statistics of every paper. Files are compressed with LZ4 and flushed to the disk; the input is "
        "in the page cache.",
    )


def _within(sizes: list[int]) -> list[int]:
    """The sizes that are measured where a billion reviews would take too long."""
    return [size for size in sizes if size <= 100_000_000] or sizes


if __name__ == "__main__":
    main()
