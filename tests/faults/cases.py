"""The commands that are killed, on a small conference, and what each of them writes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from unround.console.settings import ConsoleSettings

UNROUND = (sys.executable, "-c", "from unround.cli import main; main()")
PERSON = "reviewer00000@example.org"
SIMULATED = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}  # a GPU, without one
ANOTHER = ("--title", "Another", "-o", "OUT", "--data", "DATA")
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
    """A command and what it writes."""

    name: str
    arguments: tuple[str, ...]
    output: str = ""  # relative to the folder of one trial; empty: it writes nothing
    copied: Path | None = None  # what it changes: each trial has a copy in its folder `data`
    environment: Mapping[str, str] = field(default_factory=dict)
    longest_end: float = 60.0  # seconds in which its processes end once it was killed

    def prepare(self, folder: Path) -> None:
        """Make the folder of one trial."""
        folder.mkdir(parents=True)
        if self.copied is not None:
            shutil.copytree(self.copied, folder / "data")

    def data(self, folder: Path) -> Path | None:
        """Return the data folder of the console that the command works on, if it does."""
        words = self.command(folder)
        return Path(words[words.index("--data") + 1]) if "--data" in words else None

    def command(self, folder: Path) -> list[str]:
        """Return the command with its arguments, for one trial."""
        places = {"OUT": str(folder / self.output), "DATA": str(folder / "data")}
        return [*UNROUND, *(places.get(one, one) for one in self.arguments)]


def cases(inputs: Path) -> dict[str, Case]:
    """Return every command that ends by itself, by name."""
    read = (str(inputs / "reviews.csv"), "--rankings", str(inputs / "rankings.csv"))
    run = str(inputs / "run")
    study = ("reproduce", str(inputs / "tiny.toml"), "--trials", "1", "--jobs", "2", "--quiet")
    bulk = ("bulk", str(inputs / "reviews.parquet"), "--scale", "4..6", "--lam", "4", "--quiet")
    data, backup = inputs / "data", str(inputs / "console.backup")
    make = ("ballots", "make", str(inputs / "reviews.csv"), "--conference", "Another")
    of_data = ("-o", "OUT", "--data", str(data))
    listed = [
        Case("run", ("run", *read, "--lam", "2", "--force", "--quiet", "-o", "OUT"), "out"),
        Case(
            "run again",
            ("run", *read, "--lam", "3", "--force", "--quiet", "-o", "DATA"),
            "data",
            inputs / "run",
        ),
        Case("check", ("check", *read, "--output", "OUT"), "issues.csv"),
        Case("report", ("report", run, "--all-area-chairs", "-o", "OUT"), "pages"),
        Case("convert", ("convert", *read, "-o", "OUT"), "plain"),
        Case("export", ("export", run, "--to", "hotcrp", "-o", "OUT"), "hotcrp.csv"),
        Case("simulate", ("simulate", "--papers", "300", "-o", "OUT"), "made"),
        Case("compare", ("compare", *read, "--quiet", "-o", "OUT"), "comparison"),
        Case("audit privacy", ("audit", "privacy", run, "--sample", "3")),
        Case("audit influence", ("audit", "influence", run, "--sample", "3")),
        Case("audit groups", ("audit", "groups", run, "--by", "track", "--sample", "40")),
        # Its workers end when they have had nothing to do for five minutes.
        Case("reproduce", (*study, "-o", "OUT"), "experiments", longest_end=360.0),
        Case("warm", ("warm", "--quiet")),
        Case("bulk", (*bulk, "-o", "OUT"), "bulk", environment=SIMULATED),
        Case("backup", ("backup", "OUT", "--data", str(data)), "made.backup"),
        Case("restore", ("restore", backup, "--data", "OUT"), "data"),
        Case("forget", ("forget", "person", PERSON, "--yes", "--data", "DATA"), "data", data),
        Case("ballots make", (*make, *ANOTHER), "links.csv", data),
        Case("ballots export", ("ballots", "export", "Rankings", *of_data), "rankings.csv"),
    ]
    return {case.name: case for case in listed}


NAMES = tuple(cases(Path()))


def prepare(inputs: Path, *, with_console: bool) -> None:
    """Make the conference, a finished run, a console's data with ballots, and their backup."""
    inputs.mkdir(parents=True)
    _call(["simulate", "--papers", "60", "--seed", "1", "-o", str(inputs / "made")])
    (inputs / "tiny.toml").write_text(STUDY, "utf-8")
    for path in (inputs / "made").iterdir():
        path.rename(inputs / path.name)
    _write_parquet(inputs)
    read = [str(inputs / "reviews.csv"), "--rankings", str(inputs / "rankings.csv")]
    _call(["run", *read, "--lam", "4", "--quiet", "-o", str(inputs / "run")])
    # The first report of a run keeps its key of pseudonyms in the run's folder.
    _call(["report", str(inputs / "run"), "--all-area-chairs", "-o", str(inputs / "pages")])
    if with_console:
        _prepare_console(inputs)
        _call(["backup", str(inputs / "console.backup"), "--data", str(inputs / "data")])


def _write_parquet(inputs: Path) -> None:
    """Write few reviews that rankings agree with: the simulated GPU is slow."""
    rows = [
        (reviewer, paper, 4 + (reviewer * paper) % 3) for reviewer in range(3) for paper in range(4)
    ]
    frame = pl.DataFrame(rows, schema=["reviewer", "paper", "score"], orient="row")
    frame.with_columns(rank=7 - pl.col("score")).write_parquet(inputs / "reviews.parquet")


def _prepare_console(inputs: Path) -> None:
    """Make a console with an uploaded file, and a collection of ballots of which one is saved."""
    from tests.console.ballots.conftest import Voter
    from unround.console.app import make_app
    from unround.console.server import open_console, start_link

    words = ["ballots", "make", str(inputs / "reviews.csv"), "--conference", "Faults"]
    links, data = inputs / "links.csv", inputs / "data"
    _call([*words, "--title", "Rankings", "-o", str(links), "--data", str(data)])
    with open_console(ConsoleSettings(data=data)) as console:
        app = make_app(console)
        owner = Voter(console, app).enter(start_link(console))
        conference = owner.get("/api/conferences").json()[0]["id"]
        owner.upload_one(conference, "reviews.csv", (inputs / "reviews.csv").read_bytes())
        link = pl.read_csv(links).filter(email=PERSON)["link"][0]
        voter = Voter(console, app).enter(link)
        papers = [paper["paper"] for paper in voter.ballot()["papers"]]
        voter.saved({"groups": [[paper] for paper in papers]}, submit=True)


def _call(arguments: Sequence[str]) -> None:
    subprocess.run([*UNROUND, *arguments], check=True, stdout=subprocess.DEVNULL)
