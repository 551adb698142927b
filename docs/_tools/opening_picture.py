"""Draw the picture that opens the README and the documentation, light and dark.

    python docs/_tools/opening_picture.py

Left: three papers to which one reviewer gave the same score, and whose means are tied. Right: the same
scores inside their cell, in the order of the reviewer's ranking and pulled towards the papers' other
reviewers, and the places that follow. Every number is of one simulated conference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import polars as pl

import unround

TARGET = Path(__file__).parents[1] / "_static"
# A conference in which one reviewer gave one score to three papers whose means are tied, too.
SEED, REVIEWER, LEVEL = 3, 13, 4
WIDTH, HEIGHT, PANEL = 1000, 520, 480
LOW, HIGH, TOP, BOTTOM = 2.8, 4.55, 86, 366  # scores shown, and where
COLUMNS = (150, 275, 400)
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


@dataclass(frozen=True)
class Theme:
    """Colours of one theme."""

    paper: str
    ink: str
    quiet: str
    cell: str
    own: str
    tied: str
    line: str


THEMES = {
    "light": Theme("#ffffff", "#1b1f24", "#59636e", "#dbeafe", "#0b57a4", "#a3470b", "#c9d1d9"),
    "dark": Theme("#131416", "#e8eaed", "#a4adb8", "#1e3350", "#7cb7ff", "#f0a35e", "#3a4149"),
}


@dataclass(frozen=True)
class Column:
    """One paper in one panel."""

    paper: int
    rank: int
    own: float  # this reviewer's score
    others: list[float]
    mean: float
    place: str
    is_tied: bool


def main() -> None:
    """Write opening-light.svg and opening-dark.svg."""
    given, after = columns()
    for name, theme in THEMES.items():
        (TARGET / f"opening-{name}.svg").write_text(picture(given, after, theme), "utf-8")


def columns() -> tuple[list[Column], list[Column]]:
    """The three papers by given scores, and by dequantized ones."""
    drawn = unround.simulate.thurstone(
        60,
        reviews_per_paper=3,
        papers_per_reviewer=5,
        noise=0.2,
        scale=range(1, 11),
        quality=(3.0, 8.0),
        seed=SEED,
    )
    result = unround.dequantize(drawn.reviews, drawn.rankings, scale=drawn.scale, lam="auto+")
    reviews = result.scores.join(drawn.rankings, on=["reviewer", "paper"])
    mine = reviews.filter((pl.col("reviewer") == REVIEWER) & (pl.col("score") == LEVEL))
    papers = mine.sort("rank")["paper"].to_list()
    given, after = (
        [
            column(reviews, result.papers, paper, order + 1, name)
            for order, paper in enumerate(papers)
        ]
        for name in ("score", "dequantized")
    )
    return given, after


def column(reviews: pl.DataFrame, papers: pl.DataFrame, paper: int, rank: int, of: str) -> Column:
    """One paper by the scores in the column `of`."""
    here = reviews.filter(pl.col("paper") == paper)
    own = here.filter(pl.col("reviewer") == REVIEWER)[of].item()
    others = here.filter(pl.col("reviewer") != REVIEWER)[of].to_list()
    means = papers[f"{of}_mean"]
    mean = papers.filter(pl.col("paper") == paper)[f"{of}_mean"].item()
    above = int((means > mean + 1e-6).sum())
    tied = int(((means - mean).abs() <= 1e-6).sum())
    place = f"{above + 1}" if tied == 1 else f"{above + 1}–{above + tied}, tied"
    return Column(paper, rank, own, others, mean, place, tied > 1)


def picture(given: list[Column], after: list[Column], theme: Theme) -> str:
    """The whole SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">',
        f"<title>{escape(description(given, after))}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{theme.paper}"/>',
        *panel(
            given, given, theme, "As given", "one reviewer gives 4 to three papers, and ranks them"
        ),
        f'<g transform="translate({WIDTH - PANEL} 0)">',
        *panel(
            after,
            given,
            theme,
            "By unround",
            "inside what rounds to 4, as ranked, pulled to the others",
        ),
        "</g>",
        *legend(theme),
        *arrow(WIDTH // 2 - 18, (TOP + BOTTOM) / 2, theme),
        "</svg>\n",
    ]
    return "\n".join(parts)


def panel(
    shown: list[Column], given: list[Column], theme: Theme, title: str, below: str
) -> Iterator[str]:
    """Three papers over a ruler of scores, with means and places beneath."""
    yield text(24, 36, title, theme.ink, 21, weight=600)
    yield text(24, 60, below, theme.quiet, 15)
    top, bottom = y(LEVEL + 0.5), y(LEVEL - 0.5)
    yield f'<rect x="78" y="{top:.1f}" width="388" height="{bottom - top:.1f}" rx="4" fill="{theme.cell}"/>'
    for level in (3, 4):
        yield f'<line x1="78" x2="466" y1="{y(level):.1f}" y2="{y(level):.1f}" stroke="{theme.line}"/>'
        yield text(66, y(level) + 5, f"{level}", theme.quiet, 15, "end")
    for edge in (LEVEL - 0.5, LEVEL + 0.5):
        yield text(66, y(edge) + 5, f"{edge}", theme.quiet, 13, "end")
    for x, one, before in zip(COLUMNS, shown, given, strict=True):
        yield from paper(x, one, before, theme)
    yield text(24, BOTTOM + 74, "Mean", theme.quiet, 15)
    yield text(24, BOTTOM + 102, "Place", theme.quiet, 15)


def paper(x: int, one: Column, before: Column, theme: Theme) -> Iterator[str]:
    """One paper: the others' scores as rings, this reviewer's as a dot, its way, mean and place."""
    for number, other in enumerate(sorted(one.others)):
        yield (
            f'<circle cx="{x - 24 + 9 * number}" cy="{y(other):.1f}" r="5" fill="none" '
            f'stroke="{theme.quiet}" stroke-width="2"/>'
        )
    if abs(one.own - before.own) > 1e-6:
        yield (
            f'<line x1="{x}" x2="{x}" y1="{y(before.own):.1f}" y2="{y(one.own):.1f}" '
            f'stroke="{theme.own}" stroke-width="2" stroke-dasharray="3 2"/>'
            f'<circle cx="{x}" cy="{y(before.own):.1f}" r="3" fill="{theme.own}" opacity="0.5"/>'
        )
    yield f'<circle cx="{x}" cy="{y(one.own):.1f}" r="7" fill="{theme.own}"/>'
    digits = 0 if one is before else 2
    yield text(x + 13, y(one.own) + 5, f"{one.own:.{digits}f}", theme.own, 16, weight=600)
    colour = theme.tied if one.is_tied else theme.ink
    weight = 400 if one.is_tied else 600
    yield text(x, BOTTOM + 22, f"Paper {one.paper}", theme.ink, 16, "middle")
    yield text(x, BOTTOM + 42, f"ranked {ORDINALS[one.rank]}", theme.quiet, 14, "middle")
    yield text(x, BOTTOM + 74, f"{one.mean:.2f}", colour, 17, "middle", weight)
    yield text(x, BOTTOM + 102, one.place, colour, 17, "middle", weight)


def legend(theme: Theme) -> Iterator[str]:
    """What dots and rings are."""
    at = HEIGHT - 20
    yield f'<circle cx="{WIDTH // 2 - 190}" cy="{at}" r="6" fill="{theme.own}"/>'
    yield text(WIDTH // 2 - 176, at + 5, "this reviewer", theme.quiet, 14)
    yield (
        f'<circle cx="{WIDTH // 2 - 40}" cy="{at}" r="5" fill="none" stroke="{theme.quiet}" '
        'stroke-width="2"/>'
    )
    yield text(WIDTH // 2 - 26, at + 5, "the paper's two other reviewers", theme.quiet, 14)


def arrow(x: float, at: float, theme: Theme) -> Iterator[str]:
    """From the left panel to the right one."""
    yield (
        f'<path d="M{x} {at} h28 m-9 -8 l9 8 l-9 8" fill="none" stroke="{theme.quiet}" '
        'stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def y(score: float) -> float:
    """Return the height of a score in the picture."""
    return BOTTOM - (score - LOW) / (HIGH - LOW) * (BOTTOM - TOP)


def text(
    x: float,
    at: float,
    words: str,
    colour: str,
    size: int,
    anchor: str = "start",
    weight: int = 400,
) -> str:
    """A line of text."""
    return (
        f'<text x="{x}" y="{at:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )


def description(given: list[Column], after: list[Column]) -> str:
    """The picture in words, for those who do not see it."""
    scores = ", ".join(f"{one.own:.2f}" for one in after)
    places = ", ".join(one.place for one in after)
    return (
        f"Left: one reviewer gave {LEVEL} to three papers, whose means are all {given[0].mean:.2f}, at "
        f"places {given[0].place}. Right: inside the cell from {LEVEL - 0.5} to {LEVEL + 0.5} and in the "
        f"order of the ranking the scores are {scores}, and the papers are at places {places}."
    )


if __name__ == "__main__":
    main()
