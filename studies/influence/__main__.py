"""What single reviewers could do: rewrites INFLUENCE.md.

`python -m studies.influence` simulates a conference of 76,000 reviews and tries all its reviewers, and
small ones under other settings, two at a time. With `--sample N`, N reviewers of the large one.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import unround
from unround.audit.influence.audit import Influence, audit_influence
from unround.disclosure.snapshot import Snapshot
from unround.progress import ProgressBar

TARGET = Path(__file__).with_name("INFLUENCE.md")
SEED = 1
LARGE, SMALL = 19_000, 500
SETTINGS: dict[str, Mapping[str, Any]] = {
    "λ by simulation, ε 0.05": {},
    "λ 5": {"lam": 5.0},
    "λ = ∞": {"lam": math.inf},
    "ε 0.01": {"epsilon": 0.01},
    "ε 0.2": {"epsilon": 0.2},
    "conflicts `scores`": {"conflicts": "scores"},
    "conflicts `rankings`": {"conflicts": "rankings"},
    "no rankings": {"rankings": None},
}
HEAD = """\
| | λ | mean | at most | plain means | places | at most | plain | across the line | at most | plain |
|---|---|---|---|---|---|---|---|---|---|---|
"""
METHOD = """\
# What single reviewers could do

Written by `python -m studies.influence`; every figure was measured by that one run. Conferences are
simulated by `unround.simulate.thurstone` (seed {seed}, four reviews per paper, four papers per reviewer,
scores 0 to 10).

The furthest that a reviewer could move the mean and the place of a paper they read, by giving it a level more
and ranking it first, or a level less and last; *at most*: by any scores within a level and any ranking; and
the same change under plain means. Each is the median over reviewers, the largest in brackets. *Across the
line*: in how many reviews that change takes the paper across the line at 25%.
"""


def audited(
    papers: int, options: Mapping[str, Any], sample: int | None = None
) -> tuple[Influence, float]:
    """Simulate, solve and audit a conference; return the audit and the processor seconds that it took."""
    drawn = unround.simulate.thurstone(papers, seed=SEED)
    settings = {"rankings": drawn.rankings, **options}
    result = unround.dequantize(drawn.reviews, scale=range(11), **settings)
    snapshot = Snapshot.of(result)
    before = time.process_time()
    with ProgressBar(quiet=papers != LARGE) as bar:
        found = audit_influence(snapshot, sample=sample, progress=bar)
    return found, time.process_time() - before


def row(name: str, found: Influence) -> str:
    """Return a row of a table."""
    means = [found.spread(column, ".3f") for column in ("move", "limit", "plain")]
    places = [found.spread(column, ",.0f") for column in ("places", "places_limit", "plain_places")]
    turning = [f"{found.turning(kind):.1f}%" for kind in ("turns", "turns_limit", "plain_turns")]
    return f"| {' | '.join([name, f'{found.lam:.3g}', *means, *places, *turning])} |"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--sample", type=int, help="reviewers of the large conference; without it, all"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as processes:
        first = processes.submit(audited, LARGE, {}, given.sample)
        others = {
            name: processes.submit(audited, SMALL, options) for name, options in SETTINGS.items()
        }
        rows = [row(name, other.result()[0]) for name, other in others.items()]
        large, seconds = first.result()
    text = [
        METHOD.format(seed=SEED),
        f"## {large.papers:,} papers, {4 * large.papers:,} reviews",
        "",
        f"{large.tried:,} of {large.reviewers:,} reviewers, {seconds:.0f} s of processor time on one core.",
        "",
        HEAD + row("λ by simulation, ε 0.05", large),
        "",
        f"## {SMALL:,} papers, {4 * SMALL:,} reviews, under other settings",
        "",
        HEAD + "\n".join(rows),
        "",
    ]
    TARGET.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
