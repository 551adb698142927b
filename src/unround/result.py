"""Result: scores and everything known about them, as tables of the caller's kind."""

from __future__ import annotations

import html
import math
import os
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

from unround.arrays import FloatArray
from unround.certificate import Certificate
from unround.certificate.multipliers import Bindings, Contributions, explain
from unround.errors import UsageError
from unround.issues import Issue, count_kinds
from unround.metrics import percentiles, tie_share
from unround.metrics.papers import paper_statistics
from unround.problem.model import Problem
from unround.reviews.frames import Frame, frame_like, open_frame, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.selection.validation import Curve
from unround.settings import KEEP, Settings, checked_count, checked_path
from unround.wording import LAMBDA_REASONS

if TYPE_CHECKING:
    from unround.report.plots import Plots
    from unround.uncertainty.advice import Diagnostics
    from unround.uncertainty.calibration import Calibration
    from unround.uncertainty.consensus import Consensus
    from unround.uncertainty.posterior import Posterior
    from unround.uncertainty.stability import Stability

FrameT = TypeVar("FrameT", default=Any)
MOST_MOVED = 10
MOST_DIAGNOSED = 20_000  # reviews, up to which a summary has diagnostics
_SCORE_COLUMNS = ("reviewer", "paper", "score", "dequantized", "percentile")


def _room_above(name: str) -> Any:
    """Load a module of a higher layer, which this one cannot import, since it imports this one."""
    return import_module(f"unround.{name}")


def checked_result(name: str, result: object) -> BaseResult[Any]:
    """Return a result. Raise UsageError for anything else."""
    if not isinstance(result, BaseResult):
        kind = type(result).__name__
        raise UsageError(f"{name} must be what dequantize or load returned, not {kind}")
    return result


def refuse_beside_result(**given: object) -> None:
    """Raise UsageError for arguments that a result brings along; None or KEEP is none."""
    names = [name for name, value in given.items() if value is not None and value is not KEEP]
    if names:
        raise UsageError(
            f"a result brings its rankings and settings along: leave out {' and '.join(names)}, "
            "or give the tables in place of the result"
        )


class BaseResult(Generic[FrameT]):
    """What a result shows of itself; one that is read from a folder has most of it there."""

    certificate: Certificate
    issues: tuple[Issue, ...]
    internals: Internals

    @property
    def diagnostics(self) -> Diagnostics:
        """What the data say about themselves: agreement, wrong comparisons, rankings, strictness."""
        return self.internals.diagnostics

    @property
    def settings(self) -> Settings:
        """The options in use."""
        return self.internals.settings

    @property
    def lam(self) -> float:
        """The λ used."""
        return self.internals.lam

    @property
    def scale(self) -> Scale:
        """The scale in use, as stated or inferred from the scores (`scale.origin`)."""
        return self.internals.reviews.scale

    @property
    def scale_origin(self) -> str:
        """Where the scale came from, the levels that nobody used, and the option that changes it."""
        return self.internals.reviews.scale_origin

    @property
    def scores(self) -> FrameT:
        """One row per review, in the caller's order.

        Columns: reviewer, paper, score, dequantized, percentile, and whatever else the caller has.
        """
        extra = [name for name in self.internals.frame.columns if name not in _SCORE_COLUMNS]
        reviews = self.internals.reviews
        new = reviews.in_caller_order(self.internals.values)
        percentile = percentiles(new, reviews.scale.spacing)
        added = with_columns(self.internals.frame, {"dequantized": new, "percentile": percentile})
        return self._native(added[[*_SCORE_COLUMNS, *extra]])

    @property
    def papers(self) -> FrameT:
        """One row per paper, by id.

        Columns: paper, reviews, and the statistics of score and of dequantized, such as score_mean.
        """
        problem = self.internals.problem
        first = problem.by_paper[problem.paper_start[:-1]]
        ids = rows_of(self.internals.frame[["paper"]], self.internals.reviews.row[first])
        return self._native(with_columns(ids, self.internals.paper_columns))

    @property
    def selection(self) -> FrameT | None:
        """The validation curve: lam, error. None when λ was given."""
        curve = self.internals.curve
        if curve is None:
            return None
        table: FrameT = frame_like(self.internals.frame, {"lam": curve.lam, "error": curve.error})
        return table

    @property
    def explanation(self) -> FrameT:
        """One row per review, in the caller's order: how far consensus, ranking and cell moved it.

        score + consensus + ranking + cell = dequantized.
        """
        parts = {
            name: self.internals.reviews.in_caller_order(values)
            for name, values in (
                ("dequantized", self.internals.values),
                ("consensus", self.internals.parts.consensus),
                ("ranking", self.internals.parts.ranking),
                ("cell", self.internals.parts.cell),
            )
        }
        given = self.internals.frame[["reviewer", "paper", "score"]]
        return self._native(with_columns(given, parts))

    @property
    def ties(self) -> tuple[float, float]:
        """The share of tied pairs of reviews, before and after."""
        reviews = self.internals.reviews
        spacing = reviews.scale.spacing
        return tie_share(reviews.given, spacing), tie_share(self.internals.values, spacing)

    @property
    def _counts(self) -> dict[str, int]:
        return self.internals.counts

    @property
    def _asked(self) -> str:
        """How λ was chosen: "auto", "auto+" or "undecided"; anything else means that it was given."""
        curve = self.internals.curve
        return "" if curve is None else curve.chosen_by if curve.decided else "undecided"

    def _native(self, frame: Frame) -> FrameT:
        native: FrameT = frame.to_native()
        return native

    @property
    def consensus(self) -> Consensus:
        """How rankings agree, inside ties, with the scores of other reviewers."""
        return self.diagnostics.consensus

    def report(self, path: str | os.PathLike[str], *, title: str = "Conference") -> Path:
        """Write the result as one HTML page that opens from disk, without a network.

        Parameters
        ----------
        path : path
            The file to write. One that is there is replaced.
        title : str
            The name of the conference.

        Returns
        -------
        Path
            The file that was written.
        """
        written: Path = _room_above("report.pages").write_report(
            self, checked_path("path", path), title
        )
        return written

    @property
    def plot(self) -> Plots:
        """Figures: `plot()` draws all, `plot.validation()`, `plot.scores()`, `plot.moves()` one each.

        They need matplotlib: `pip install 'unround[lab]'`.
        """
        plots: Plots = _room_above("report.plots").Plots(self)
        return plots

    def __repr__(self) -> str:
        return "\n".join(self._summary())

    def _repr_html_(self) -> str:
        """Return the summary, and the papers whose mean moved most, for notebooks."""
        lines = "<br>".join(html.escape(line) for line in self._summary())
        moved = self.most_moved(MOST_MOVED)
        if not moved:
            return f"<p>{lines}</p>"
        head = "".join(f"<th>{name}</th>" for name in ("paper", "mean before", "after", "moved"))
        rows = "".join(
            f"<tr><td>{html.escape(str(paper))}</td><td>{before:.3f}</td><td>{after:.3f}</td>"
            f"<td>{after - before:+.3f}</td></tr>"
            for paper, before, after in moved
        )
        caption = f"The {len(moved)} papers that moved most"
        return f"<p>{lines}</p><table><caption>{caption}</caption><tr>{head}</tr>{rows}</table>"

    def _summary(self) -> list[str]:
        counts, (before, after) = self._counts, self.ties
        kinds = count_kinds(self.issues)
        issues = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
        lam = "∞" if math.isinf(self.lam) else f"{self.lam:.6g}"
        return [
            f"{counts['reviews']:,} reviews of {counts['papers']:,} papers by "
            f"{counts['reviewers']:,} reviewers, {counts['comparisons']:,} comparisons · scale "
            f"{self.scale.text} ({self.scale_origin})",
            f"λ = {lam} ({LAMBDA_REASONS.get(self._asked, 'as given')}) · exact to "
            f"{self.certificate.max_error:.1e} (proven)",
            f"ties {before:.1%} → {after:.1%} · issues: {issues}",
            *self._diagnosed(),
        ]

    def _diagnosed(self) -> list[str]:
        """Return a line for each diagnostic; none of large conferences, where they take seconds."""
        if self._counts["reviews"] > MOST_DIAGNOSED:
            return ["diagnostics: not shown for so many reviews; see result.diagnostics"]
        return [f"{name}: {text}" for name, text in self.diagnostics.in_short()]

    def most_moved(self, number: int) -> list[tuple[Any, float, float]]:
        """Return the papers whose mean moved most: id, mean before, mean after."""
        papers = open_frame(self.papers, "papers")
        before = papers["score_mean"].to_numpy()
        after = papers["dequantized_mean"].to_numpy()
        moved = np.abs(after - before)
        order = np.argsort(-moved, kind="stable")[: checked_count("number", number)]
        ids = papers["paper"].to_list()
        return [
            (ids[paper], float(before[paper]), float(after[paper]))
            for paper in order.tolist()
            if moved[paper] > 0.0
        ]


@dataclass(frozen=True)
class Internals:
    """What a result was computed from and as, for other parts of unround."""

    tables: Tables
    settings: Settings
    frame: Frame
    reviews: ReviewSet
    problem: Problem
    lam: float
    values: FloatArray  # dequantized, in the order of `reviews`
    curve: Curve | None

    @property
    def counts(self) -> dict[str, int]:
        """How many reviews, papers, reviewers and comparisons there are."""
        return {
            "reviews": len(self.reviews),
            "papers": len(self.reviews.papers),
            "reviewers": len(self.reviews.reviewers),
            "comparisons": int(self.problem.comparisons.above.size),
        }

    @property
    def parts(self) -> Contributions:
        """The parts of every move, in the order of `reviews`."""
        return self.explained[0]

    @cached_property
    def paper_columns(self) -> dict[str, NDArray[Any]]:
        """How many reviews each paper has, and the statistics of score and of dequantized."""
        problem = self.problem
        columns: dict[str, NDArray[Any]] = {"reviews": problem.paper_count}
        for name, values in (("score", self.reviews.given), ("dequantized", self.values)):
            statistics = paper_statistics(values, problem.paper, problem.papers)
            columns |= {f"{name}_{label}": column for label, column in statistics.items()}
        return columns

    @cached_property
    def explained(self) -> tuple[Contributions, Bindings]:
        """What moved every score, and the comparisons that bind."""
        return explain(self.problem, self.lam, self.values)

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data say about themselves."""
        found: Diagnostics = _room_above("uncertainty.advice").diagnose(self)
        return found


@dataclass(frozen=True, repr=False, eq=False)
class Result(BaseResult[FrameT]):
    """Dequantized scores, with their proof and their reasons. Tables are of the caller's kind.

    Every access to a table makes a new one: changing it does not change the result.

    Attributes
    ----------
    certificate : Certificate
        What was proven: `max_error` bounds the distance of every score from the optimum.
    issues : tuple of Issue
        What was found in the input, and what was done about it.
    settings : Settings
        The options in use.
    internals : Internals
        Arrays and codes, for other parts of unround; not promised to stay.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "score": [4, 4]})
    >>> rankings = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "rank": [1, 2]})
    >>> result = unround.dequantize(reviews, rankings, lam=1.0)
    >>> result.scores["dequantized"].round(4).to_list()
    [4.025, 3.975]
    >>> result.papers.columns[:4]
    ['paper', 'reviews', 'score_min', 'score_max']
    >>> result.explanation["ranking"].round(4).to_list()
    [0.025, -0.025]
    >>> result.bindings.row(0)[:3]
    (1, 'a', 'b')
    """

    certificate: Certificate
    issues: tuple[Issue, ...]
    internals: Internals

    def save(
        self,
        folder: str | os.PathLike[str],
        *,
        posterior: Posterior | None = None,
        calibration: Calibration | None = None,
        stability: Stability | None = None,
        force: bool = False,
    ) -> Path:
        """Write the result as a run folder, as `unround run` does; `unround.load` reads it.

        Parameters
        ----------
        folder : path
            A folder that is not there yet, is empty, or holds an earlier result.
        posterior, calibration, stability : optional
            What `unround.posterior`, `calibrate` and `stability` found about this result: kept with
            it, and shown in report.html.
        force : bool
            Replace an earlier result.

        Returns
        -------
        Path
            The folder, with scores.csv, papers.csv, run.json, report.html and the rest, all of
            them or none.
        """
        found, where = (posterior, calibration, stability), checked_path("folder", folder)
        written: Path = _room_above("report.pages").save(self, where, *found, force=force)
        return written

    @property
    def bindings(self) -> FrameT:
        """The comparisons that bind: reviewer, better, worse, how far each lifts one and lowers the other."""
        found, papers = self.internals.explained[1], self.internals.frame[["paper"]]
        rows = self.internals.reviews.row
        pairs = rows_of(self.internals.frame[["reviewer", "paper"]], rows[found.better])
        worse = rows_of(papers, rows[found.worse])["paper"].alias("worse")
        named = pairs.rename({"paper": "better"}).with_columns(worse)
        forces = {"lifts": found.lifts, "lowers": found.lowers}
        return self._native(with_columns(named, forces))
