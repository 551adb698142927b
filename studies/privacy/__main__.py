"""What area chairs could find out, and what they can still use: rewrites PRIVACY.md.

`python -m studies.privacy` simulates a conference of 2,000 papers with 12 per area chair, one of
76,000 reviews with 3 papers per area chair, and three of 60 papers with 6 per area chair on 3, 5 and 10
levels, and audits all at every disclosure level.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl

import unround
from studies.privacy.guess import Gain, GuessRates, guess_rates, judged_neighbours
from studies.privacy.perturbation import count_changes
from unround.audit.privacy.attack import paper_heights
from unround.audit.privacy.audit import Truth, audit_privacy, sampled
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.scope import DISCLOSURES, Disclosure, Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.progress import ProgressBar
from unround.simulate import Conference

TARGET = Path(__file__).with_name("PRIVACY.md")
SEED = 1
SAMPLE = 500
# Facts that are changed, by papers: λ is chosen from all reviews for every one.
FACTS = {60: 500, 2_000: 150, 19_000: 40}


def simulated(
    papers: int, per_area_chair: int, levels: int = 11
) -> tuple[Conference, Snapshot, list[AreaChair]]:
    """Simulate a conference, solve it, and deal its papers out to area chairs."""
    conference = unround.simulate.thurstone(papers, scale=range(levels), seed=SEED)
    result = unround.dequantize(conference.reviews, conference.rankings, scale=range(levels))
    snapshot = Snapshot.of(result)
    ids = snapshot.papers["paper"].cast(pl.String).to_list()
    np.random.default_rng(SEED).shuffle(ids)
    starts = range(0, papers, per_area_chair)
    chairs = [AreaChair(f"{at}", frozenset(ids[at : at + per_area_chair])) for at in starts]
    return conference, snapshot, chairs


def audited(papers: int, per_area_chair: int, levels: int = 11) -> list[str]:
    """Return the lines of one conference's audit."""
    _, snapshot, chairs = simulated(papers, per_area_chair, levels)
    with ProgressBar() as bar:
        audit = audit_privacy(snapshot, chairs, sample=SAMPLE, progress=bar)
        changes = count_changes(snapshot, chairs, sample=FACTS[papers], progress=bar)
    rows = []
    for level in audit.levels:
        scoped = level.disclosure == "scoped"
        visible = "none can" if scoped else f"{changes.share(level.disclosure):.3f}%"
        guess = _guess(snapshot, chairs, level.disclosure)
        rows.append(
            f"| `{level.disclosure}` | {level.certain:,} of {level.neighbours:,} "
            f"({level.certain_share:.2f}%) | {level.means:,} | {' | '.join(_guessed(guess))} | {visible} |"
        )
    return [
        f"## {papers:,} papers, {levels} levels, {snapshot.reviews.height:,} reviews, "
        f"{len(chairs):,} area chairs",
        "",
        f"The views of {audit.audited:,} area chairs, at most {SAMPLE:,}. A sample of "
        f"{FACTS[papers]:,} facts changed, of which {changes.facts:,} are not refused.",
        "",
        "| | known for sure | means | picked right of two | log-loss | moved towards | moved against "
        "| traces |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]


def _guess(
    snapshot: Snapshot, chairs: list[AreaChair], disclosure: Disclosure
) -> GuessRates | None:
    """Guess on the pages that the audit attacks; `scoped` has no stars, and so no hidden neighbours."""
    if disclosure == "scoped":
        return None
    truth = Truth(snapshot)
    attacked = sampled(chairs, SAMPLE)
    return guess_rates([judged_neighbours(snapshot, truth, one, disclosure) for one in attacked])


def _guessed(guess: GuessRates | None) -> list[str]:
    if guess is None:
        return [""] * 4

    def gain(one: Gain, form: str) -> str:
        return f"{one.before:{form}} → {one.after:{form}} ({one.low:+{form}} to {one.high:+{form}})"

    displaced = [
        f"{one.same:.1%} of {one.neighbours:,}, expected {one.expected:.1%}"
        if one.neighbours
        else "none"
        for one in (guess.towards, guess.against)
    ]
    return [gain(guess.picked, ".3f"), gain(guess.loss, ".4f"), *displaced]


def use(papers: int, per_area_chair: int) -> list[str]:
    """Return how far the order of papers is from the truth at each level, within scopes."""
    conference, snapshot, chairs = simulated(papers, per_area_chair)
    table = conference.reviews.with_columns(truth=pl.Series(np.asarray(conference.truth)))
    rows = table.group_by("paper").agg(pl.col("truth").mean(), pl.col("score").mean()).iter_rows()
    known = {str(paper): (truth, score) for paper, truth, score in rows}
    errors: dict[str, list[float]] = defaultdict(list)
    for chair in chairs:
        for level in DISCLOSURES:
            shown = view(snapshot, Scope(chair.name, chair.papers, names=True, disclosure=level))
            truth, given = np.array([known[str(paper)] for paper in shown["papers"]["paper"]]).T
            errors[level].append(unround.metrics.kendall_error(truth, paper_heights(shown)))
            if level == "exact":
                errors["given"].append(unround.metrics.kendall_error(truth, given))
    return [
        f"## Use: Kendall-tau error of papers within a scope, {papers:,} papers, {per_area_chair} per "
        "area chair",
        "",
        "| | papers |",
        "|---|---|",
        *(f"| {name} | {np.mean(errors[name]):.4f} |" for name in ("given", *DISCLOSURES)),
        "",
    ]


HEAD = """# What area chairs could find out

Written by `python -m studies.privacy`. Simulated conferences (Thurstone, four reviews per paper, total
rankings of four papers, papers dealt out to area chairs by chance).

*Known for sure*: hidden scores next to one in view in a ranking, computed from digits or implied by the
order. *Means*: of hidden papers, computed. The next four columns are about "the hidden paper beside this
one got the same score", from given scores and stars alone → with the page (90% interval of the difference,
from resampled area chairs), by a regression that learned from other area chairs' hidden scores. *Picked
right of two*: the area under the ROC curve; .5 is chance. *Moved towards*: among hidden papers beside a paper
that stands elsewhere than by its area chair's own papers, as the hidden one would push it, how many got the
same score; *moved against*: the other way. *Traces*: hidden facts, changed one by one, that change a score
or a place in a view they are hidden from; λ is chosen again after each change, as in a run with `auto+`.
No hidden fact enters what is computed from a scope.
"""


def main() -> None:
    """Measure and write."""
    lines = [HEAD, *audited(2000, 12), *use(2000, 12), *audited(19_000, 3)]
    for levels in (3, 5, 10):
        lines += audited(60, 6, levels)
    TARGET.write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
