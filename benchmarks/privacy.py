"""What area chairs could find out, and what they can still use: rewrites benchmarks/PRIVACY.md.

`python benchmarks/privacy.py` simulates a conference of 2,000 papers with 12 per area chair and one of
76,000 reviews with 3 papers per area chair, and audits both at every disclosure level.
"""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl

import unround
from unround.audit.privacy.audit import PrivacyFindings, audit_privacy
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.model import View
from unround.disclosure.scope import DISCLOSURES, Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.progress import ProgressBar
from unround.simulate import Conference

TARGET = Path(__file__).with_name("PRIVACY.md")
SEED = 1
SAMPLE = 1000


def simulated(papers: int, per_area_chair: int) -> tuple[Conference, Snapshot, list[AreaChair]]:
    """Simulate a conference, solve it, and deal its papers out to area chairs."""
    conference = unround.simulate.thurstone(papers, seed=SEED)
    result = unround.dequantize(conference.reviews, conference.rankings, scale=range(11))
    snapshot = Snapshot.of(result)
    ids = snapshot.papers["paper"].cast(pl.String).to_list()
    np.random.default_rng(SEED).shuffle(ids)
    starts = range(0, papers, per_area_chair)
    chairs = [AreaChair(f"{at}", frozenset(ids[at : at + per_area_chair])) for at in starts]
    return conference, snapshot, chairs


def audited(papers: int, per_area_chair: int) -> list[str]:
    """Return the lines of one conference's audit."""
    _, snapshot, chairs = simulated(papers, per_area_chair)
    before = time.monotonic()
    with ProgressBar() as bar:
        audit = audit_privacy(snapshot, chairs, sample=SAMPLE, facts=SAMPLE, progress=bar)
    seconds = time.monotonic() - before
    return [
        f"## {papers:,} papers, {snapshot.reviews.height:,} reviews, {len(chairs):,} area chairs",
        "",
        f"Sample of {SAMPLE:,}: the views of {audit.audited:,} area chairs, "
        f"{audit.view_changes.facts:,} facts changed. {seconds:.0f} s.",
        "",
        "| | known for sure | computed | implied | means | guessed | baseline | traces |",
        "|---|---|---|---|---|---|---|---|",
        *_rows(audit),
        "",
    ]


def _rows(audit: PrivacyFindings) -> list[str]:
    hidden = int(audit.view_changes.hidden.sum())
    seen = {"order": audit.view_changes.order.sum(), "exact": audit.view_changes.exact.sum()}
    traces = {name: f"{count / hidden:.3%}" for name, count in seen.items()}
    lines = []
    for level in audit.levels:
        total = {
            name: sum(getattr(chair, name) for chair in level.chairs)
            for name in ("neighbours", "scores", "implied", "means")
        }
        guess = [f"{share:.1%}" for share in (level.guess.accuracy, level.guess.baseline)]
        lines.append(
            f"| `{level.disclosure}` | {level.certain:,} of {total['neighbours']:,} "
            f"({level.share:.2f}%) | {total['scores']:,} | {total['implied']:,} | "
            f"{total['means']:,} | {' | '.join(guess if level.guess.neighbours else ['', ''])} | "
            f"{traces.get(level.disclosure, 'none can')} |"
        )
    return lines


def use(papers: int, per_area_chair: int) -> list[str]:
    """Return how far each level is from the truth, within scopes."""
    conference, snapshot, chairs = simulated(papers, per_area_chair)
    truth = conference.reviews.with_columns(pl.Series("truth", np.asarray(conference.truth)))
    latent = {
        (str(reviewer), str(paper)): value
        for reviewer, paper, value in truth.select("reviewer", "paper", "truth").iter_rows()
    }
    errors: dict[tuple[str, str], list[float]] = defaultdict(list)
    for chair in chairs:
        for level in DISCLOSURES:
            scope = Scope(chair.name, chair.papers, names=True, disclosure=level)
            _add_errors(errors, view(snapshot, scope), latent)
    means = {key: float(np.mean(values)) for key, values in errors.items()}
    return [
        f"## Use: Kendall-tau error within a scope, {papers:,} papers, {per_area_chair} per area chair",
        "",
        "| | reviews | papers by mean |",
        "|---|---|---|",
        *(
            f"| {name} | {means[name, 'reviews']:.4f} | {means[name, 'papers']:.4f} |"
            for name in ("given", *DISCLOSURES)
        ),
        "",
    ]


def _add_errors(
    errors: dict[tuple[str, str], list[float]], shown: View, latent: dict[tuple[str, str], float]
) -> None:
    columns, ids = shown["reviews"], shown["papers"]["paper"]
    pairs = zip(columns["reviewer"], columns["paper"], strict=True)
    true = [latent[shown["reviewers"][who], str(ids[paper])] for who, paper in pairs]

    def means(values: list[float]) -> list[float]:
        paper = np.array(columns["paper"])
        return [float(np.mean(np.array(values)[paper == number])) for number in range(len(ids))]

    level = str(shown["disclosure"])
    stated = shown["statistics"]
    shown_means = means(columns["dequantized"]) if stated is None else stated["mean"]
    kendall = unround.metrics.kendall_error
    errors[level, "reviews"].append(kendall(true, columns["dequantized"]))
    errors[level, "papers"].append(kendall(means(true), shown_means))
    if level == "exact":
        errors["given", "reviews"].append(kendall(true, columns["score"]))
        errors["given", "papers"].append(kendall(means(true), means(columns["score"])))


HEAD = """# What area chairs could find out

Written by `python benchmarks/privacy.py`. Simulated conferences (Thurstone, four reviews per paper, total
rankings of four papers, papers dealt out to area chairs by chance).

*Known for sure*: hidden scores next to one in view in a ranking, computed from digits or implied by the
order. *Means*: of hidden papers, computed. *Guessed*: by a regression that learned from other area chairs'
hidden scores; *baseline*: the same from given scores and stars alone. *Traces*: hidden facts, changed one
by one, that change something in a view they are hidden from; none enters what is computed from a scope.
"""


def main() -> None:
    """Measure and write."""
    lines = [HEAD, *audited(2000, 12), *use(2000, 12), *audited(19_000, 3)]
    TARGET.write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
