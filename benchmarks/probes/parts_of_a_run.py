"""Do what `unround run` does, part by part; print the seconds of each part as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")
LIBRARIES = {
    "importing numpy": "numpy",
    "importing polars": "polars",
    "importing Numba": "numba",
    "importing SciPy, as Numba does": "scipy.linalg",
    "importing SciPy's special functions": "scipy.special",
}
UNROUND = ("unround.cli.commands.run", "unround.report.pages", "unround.runs.compute")


class Parts(dict[str, float]):
    """The seconds of each part, in the order of the work."""

    def timed(self, name: str, work: Callable[[], Value]) -> Value:
        """Do some work and keep its time."""
        begin = time.perf_counter()
        done = work()
        self[name] = time.perf_counter() - begin
        return done


def main(reviews: Path, rankings: Path, output: Path) -> None:
    parts = Parts()
    for name, module in LIBRARIES.items():
        parts.timed(name, partial(import_module, module))
    parts.timed("importing unround and small libraries", lambda: [*map(import_module, UNROUND)])
    from unround.pipeline import dequantize
    from unround.report.pages import write_run_page
    from unround.runs.compute import run_of_result
    from unround.runs.inputs import InputFiles
    from unround.runs.saved import save_run

    inputs = InputFiles([reviews], [rankings])
    known = parts.timed("finding out what the files are, reading them", inputs.read)
    parts.timed("loading kernels", lambda: dequantize(known))
    result = parts.timed("checking, choosing λ, solving, proving", lambda: dequantize(known))
    # The first call loaded the kernels and did what the second did.
    parts["loading kernels"] -= parts["checking, choosing λ, solving, proving"]
    run = parts.timed("making tables and record", lambda: run_of_result(result))
    parts.timed(
        "writing the files and the page",
        lambda: save_run(run, output, page=write_run_page, force=True),
    )
    print(json.dumps(parts))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
