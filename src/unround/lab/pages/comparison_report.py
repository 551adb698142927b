"""Judgement -> tables, figures and the page that says whether it helps on a conference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from unround.lab.compare import ALTERNATIVES, STATED, Judgement, Outcome, label_of
from unround.lab.figures import save
from unround.lab.pages import document as doc
from unround.lab.results.bootstrap import Interval
from unround.lab.results.summary import write_tables
from unround.lab.trials.versions import versions
from unround.metrics import tie_share

TITLE = "unround: does it help on this conference?"
NOTES = (
    "What was done: every score was rounded to fewer levels, the rankings stayed as your reviewers gave "
    "them, each method restored the scores from the two, and the order of all pairs of reviews was "
    "compared with the original scores. Pairs with equal original scores do not count; pairs that "
    "a method ties count one half. λ was chosen on the rounded scores alone, so that no method "
    "saw the originals, but for the row that says “in hindsight”.",
    "“Consensus alone” restores without rankings, “rankings alone” without the pull to other reviewers "
    "(λ = ∞). Where rankings contradict the rounded scores, both policies were tried: scores rule, or "
    "rankings do.",
    "What it cannot tell: whether the scores themselves are right. If people gave scores and rankings in "
    "one go, the two agree better than opinions do. A coarser scale leaves more to restore than yours "
    "does, so that gains on your real scores will be smaller in absolute size.",
    "Intervals are 95% intervals over 1,000 draws of papers with replacement (fewer for more than "
    "20,000 reviews), from a fixed seed; the restored scores are taken as they are.",
)
BOTH = (
    "“As stated” are all rankings of your reviewers. “Implied by the scores” are complete rankings that "
    "agree with the original scores, as quantization validation takes them."
)
ALIKE = (
    "Your reviewers' rankings say just what their scores say, so that there is no difference between "
    "rankings as stated and those that the scores imply."
)


COMPARISON = "tables/comparison.csv"  # what only the folder of a comparison holds


def write_comparison(judgement: Judgement, folder: Path, notes: Sequence[str] = ()) -> None:
    """Write tables/, figures/, report.html and REPORT.md."""
    from unround.lab.figures.comparing import draw_curve, draw_errors

    write_tables(judgement.table().with_columns(study=pl.lit("comparison")), folder / "tables")
    write_tables(_curves(judgement), folder / "tables")
    pictures = []
    for name, caption, drawing in (
        ("errors", "Error of each method, with 95% intervals", draw_errors(judgement)),
        ("curve", "Error over λ, and the λ that a run would select", draw_curve(judgement)),
    ):
        pictures.append(doc.Picture(name, caption, save(drawing, name, folder / "figures")))
    doc.write_report(TITLE, comparison_blocks(judgement, pictures, notes), folder)


def comparison_blocks(
    judgement: Judgement, pictures: Sequence[doc.Picture], notes: Sequence[str] = ()
) -> list[doc.Block]:
    """Return the report: the verdict first, then the numbers, then what they mean."""
    main = judgement.main
    mood = doc.GOOD if main.reduction().low > 0.0 else doc.FAIR
    blocks: list[doc.Block] = [doc.Text(main.verdict(), mood), doc.Text(main.split().in_words())]
    said = filter(None, (judgement.caution, described(judgement), *notes))
    blocks += [doc.Text(sentences) for sentences in said]
    blocks += [doc.Heading("Does consensus hold here?"), doc.Text(judgement.consensus.in_words())]
    blocks += [doc.Heading("Errors"), *pictures]
    for outcome in judgement.outcomes:
        blocks += [_grid(outcome), doc.Text(outcome.split().in_words())]
    if main.rankings == STATED:
        kinds = {outcome.rankings for outcome in judgement.outcomes}
        blocks.append(doc.Text(BOTH if len(kinds) > 1 else ALIKE))
    blocks.append(doc.Heading("What this means"))
    blocks += [doc.Text(note) for note in NOTES]
    blocks.append(doc.Text(f"Computed with {versions()}."))
    return blocks


def described(judgement: Judgement) -> str:
    """Say how large the conference is."""
    reviews = judgement.reviews
    return (
        f"{len(reviews):,} reviews of {len(reviews.papers):,} papers by {len(reviews.reviewers):,} "
        f"reviewers, {judgement.main.comparisons:,} comparisons; {len(reviews.scale.levels)} levels, "
        f"rounded to {_listed(judgement)}."
    )


def _listed(judgement: Judgement) -> str:
    return " and to ".join(map(str, dict.fromkeys(each.levels for each in judgement.outcomes)))


def _grid(outcome: Outcome) -> doc.Grid:
    rows = []
    for name, estimate in outcome.estimates.items():
        error = outcome.resampled.error(name)
        against = (
            ""
            if name == outcome.baseline
            else _span(outcome.resampled.reduction(name, outcome.baseline))
        )
        lam = "" if estimate.lam is None else f"{estimate.lam:.1f}".replace("inf", "∞")
        ties = f"{100.0 * tie_share(estimate.scores):.2f}"
        interval = f"{error.low:.4f} to {error.high:.4f}"
        rows.append((label_of(name), f"{error.value:.4f}", interval, against, ties, lam))
    best = ALTERNATIVES[outcome.baseline]
    header = ("Method", "Kendall-tau error", "95%", f"Lower than {best} by", "Ties (%)", "λ")
    return doc.Grid(_capital(outcome.title), header, rows)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _span(gain: Interval) -> str:
    return f"{gain.value:.1f}% ({gain.low:.1f}% to {gain.high:.1f}%)"


def _curves(judgement: Judgement) -> pl.DataFrame:
    blocks = [
        pl.DataFrame({"lam": outcome.curve.lam, "error": outcome.curve.error}).with_columns(
            levels=pl.lit(outcome.levels),
            rankings=pl.lit(outcome.rankings),
            policy=pl.lit(str(outcome.policy)),
            study=pl.lit("curve"),
        )
        for outcome in judgement.outcomes
    ]
    return pl.concat(blocks)
