"""Run `unround run` on the files of a conference, and compare what it writes with the reference."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
from click.testing import CliRunner

from tests.differential.conferences import RANKS
from tests.differential.reference import Answer, Conference, solve
from unround.cli.group import commands
from unround.selection import simulation

CLOSE = 1e-6  # in level spacings
REFUSED = 1
STATISTICS = {
    "min": min,
    "max": max,
    "mean": statistics.fmean,
    "median": statistics.median,
    "spread": lambda values: max(values) - min(values),
}


@dataclass(frozen=True)
class Comparison:
    """What came of a conference, and in words how unround and the reference differ."""

    outcome: str
    wrong: tuple[str, ...]
    apart: float = 0.0  # the largest difference of a score, in level spacings


def compare(conference: Conference, folder: Path, process: bool = False) -> Comparison:
    """Run unround and the reference on one conference."""
    expected = solve(conference)
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    code, printed = _run(_words(conference, out), process)
    came = outcome(conference, expected)
    if expected.scores is None:
        return Comparison(came, tuple(_refusal(expected, code, printed, out)))
    if code != 0:
        return Comparison(came, (f"ended with {code}, not 0: {printed[-2000:]}",))
    apart, wrong = _scores(expected, out)
    wrong += [*_issues(expected, out), *_papers(expected, out)]
    return Comparison(came, tuple(wrong), apart)


def outcome(conference: Conference, expected: Answer) -> str:
    """Return in words what should come of a conference."""
    if expected.scores is None:
        return "refused"
    return f"solved under {conference.conflicts}, {'issues' if expected.issues else 'no issue'}"


def _words(conference: Conference, out: Path) -> list[str]:
    words = ["run", str(conference.reviews), "-o", str(out), "--lam", str(conference.lam)]
    words += ["--epsilon", str(conference.epsilon), "--conflicts", conference.conflicts]
    words += ["--unranked", conference.unranked]
    for path in conference.rankings:
        words += ["--rankings", str(path)]
    if any(path.name == RANKS for path in conference.rankings):
        # Answers to what unround would ask: is this every reviewer's rank, and is the last one a rank?
        words += ["--column", "rank=rank", "--missing", "rank="]
    if conference.levels is not None:
        words += [f"--scale={','.join(conference.levels)}"]
    return [*words, "--allow-loss"] if conference.allow_loss else words


def _run(words: Sequence[str], process: bool) -> tuple[int, str]:
    """Run the command in this process, or in one of its own."""
    if process:
        command = [sys.executable, "-m", "unround", *words]
        ended = subprocess.run(command, capture_output=True, text=True)
        return ended.returncode, ended.stderr + ended.stdout
    # Diagnostics, which are not compared, draw conferences: one instead of 32.
    with patch.object(simulation, "MOST_DRAWS", 1):
        result = CliRunner().invoke(commands, words)
    return result.exit_code, result.output


def _refusal(expected: Answer, code: int, printed: str, out: Path) -> list[str]:
    if code != REFUSED:
        return [f"ended with {code}, not refused for {dict(expected.issues)}: {printed[-500:]}"]
    counted = re.findall(r"^  ([\d,]+) x ([a-z-]+)", printed, re.MULTILINE)
    kinds = Counter({kind: int(count.replace(",", "")) for count, kind in counted})
    wrong = [] if kinds == expected.issues else [f"{dict(kinds)}, not {dict(expected.issues)}"]
    return [*wrong, "wrote files though refused"] if out.exists() else wrong


def _issues(expected: Answer, out: Path) -> list[str]:
    listed = json.loads((out / "run.json").read_text())["issues"]
    kinds: Counter[str] = Counter()
    for issue in listed:
        kinds[issue["kind"]] += issue.get("count", 1)
    return [] if kinds == expected.issues else [f"{dict(kinds)}, not {dict(expected.issues)}"]


def _scores(expected: Answer, out: Path) -> tuple[float, list[str]]:
    rows = _rows(out / "scores.csv")
    ours = [(row["reviewer"], row["paper"], _plain(row["score"])) for row in rows]
    if ours != [(one.reviewer, one.paper, _plain(one.score)) for one in expected.reviews]:
        return 0.0, ["scores.csv has other reviews, or in another order"]
    found = np.array([float(row["dequantized"]) for row in rows])
    apart = float(np.abs(found - expected.scores).max()) / expected.spacing
    wrong = [] if apart <= CLOSE else [f"scores differ by {apart:.3g} level spacings"]
    percentile = np.array([float(row["percentile"]) for row in rows])
    places = found / expected.spacing * 1e4
    if np.abs(places % 1.0 - 0.5).min() > 1e-4:  # else rounding could go either way
        grid = np.round(places)
        counts = [((grid < one).sum(), (grid == one).sum()) for one in grid]
        right = np.array([100.0 * (below + tied / 2.0) / len(grid) for below, tied in counts])
        if np.abs(percentile - right).max() > 1e-9:
            wrong.append("percentiles are not those of the definition")
    return apart, wrong


def _papers(expected: Answer, out: Path) -> list[str]:
    rows = {row["paper"]: row for row in _rows(out / "papers.csv")}
    if set(rows) != {review.paper for review in expected.reviews}:
        return ["papers.csv has other papers"]
    wrong = []
    for paper, row in rows.items():
        own = [k for k, review in enumerate(expected.reviews) if review.paper == paper]
        if int(row["reviews"]) != len(own):
            wrong.append(f"paper {paper} has {len(own)} reviews, not {row['reviews']}")
        for column, values in (("score", expected.given), ("dequantized", expected.scores)):
            for name, statistic in STATISTICS.items():
                right = statistic([float(values[k]) for k in own])
                ours = float(row[f"{column}_{name}"])
                if not math.isclose(ours, right, rel_tol=0.0, abs_tol=2 * CLOSE * expected.spacing):
                    wrong.append(f"{column}_{name} of paper {paper} is {right}, not {ours}")
    return wrong


def _plain(score: str) -> float | str:
    """Return the number that a score is, whether written 2 or 2.0, or the letter."""
    try:
        return float(score)
    except ValueError:
        return score


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
