"""Result: scores and everything known about them, as tables of the caller's kind."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
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
from unround.plots import Plots
from unround.problem.model import Problem
from unround.reviews.frames import Frame, frame_like, open_frame, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.selection.validation import Curve
from unround.settings import Settings, checked_count, checked_path
from unround.solver.engine import LOCAL, Engine
from unround.wording import LAMBDA_REASONS

if TYPE_CHECKING:
    from unround.runs.folder import Run
    from unround.uncertainty.advice import Diagnostics
    from unround.uncertainty.calibration import Calibration
    from unround.uncertainty.consensus import Consensus
    from unround.uncertainty.posterior import Posterior
    from unround.uncertainty.stability import Stability

FrameT = TypeVar("FrameT", default=Any)
MOST_MOVED = 10
_SCORE_COLUMNS = ("reviewer", "paper", "score", "dequantized", "percentile")


def checked_result(name: str, result: object) -> Result[Any]:
    """Return a result. Raise UsageError for anything else."""
    if not isinstance(result, Result):
        kind = type(result).__name__
        raise UsageError(f"{name} must be what dequantize or load returned, not {kind}")
    return result


def refuse_beside_result(**given: object) -> None:
    """Raise UsageError for arguments that a result brings along; None is none."""
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise UsageError(
            f"a result brings its rankings and settings along: leave out {' and '.join(names)}, "
            "or give the tables in place of the result"
        )


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
    engine: str | Engine = LOCAL  # where it was solved, and where diagnostics are

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
    def ties(self) -> tuple[float, float]:
        """The share of tied pairs of reviews, before and after."""
        given, spacing = self.reviews.given, self.reviews.scale.spacing
        return tie_share(given, spacing), tie_share(self.values, spacing)


@dataclass(frozen=True, repr=False, eq=False)
class Result(Generic[FrameT]):
    """Dequantized scores, with their proof and their reasons. Tables are of the caller's kind.

    Every access to a table makes a new one: changing it does not change the result. A result that was
    read from a folder has the tables that are there, as polars dataframes; all others, and what
    estimates need, are computed when they are asked for.

    Attributes
    ----------
    certificate : Certificate
        What was proven: `max_error` bounds the distance of every score from the optimum.
    issues : tuple of Issue
        What was found in the input, and what was done about it.
    settings : Settings
        The options in use.
    lam : float
        The λ used.
    scale : Scale
        The scale in use, as stated or inferred from the scores (`scale.origin`).

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
    settings: Settings
    lam: float
    scale: Scale
    solved: Internals | Callable[[], Internals]  # or what builds the problem again
    run: Run | None = None  # the folder that it was read from

    @classmethod
    def of(
        cls, solved: Internals, certificate: Certificate, issues: tuple[Issue, ...]
    ) -> Result[FrameT]:
        """Return the result of a problem that has just been solved."""
        return cls(certificate, issues, solved.settings, solved.lam, solved.reviews.scale, solved)

    @cached_property
    def internals(self) -> Internals:
        """Arrays and codes, for other parts of unround; not promised to stay."""
        return self.solved if isinstance(self.solved, Internals) else self.solved()

    @property
    def folder(self) -> Path | None:
        """Where it was read from; None if it was computed."""
        return None if self.run is None else self.run.folder

    @property
    def record(self) -> dict[str, Any]:
        """What run.json holds of the scores; of a saved result all that it holds."""
        return deepcopy(dict(self._record))

    @cached_property
    def _record(self) -> Mapping[str, Any]:
        from unround.runs.record import run_record

        return run_record(self) if self.run is None else self.run.record

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data say about themselves: agreement, wrong comparisons, rankings, strictness."""
        from unround.uncertainty.advice import Diagnostics, diagnose

        return Diagnostics.of_record(self._record) or diagnose(self.internals)

    @property
    def consensus(self) -> Consensus:
        """How rankings agree, inside ties, with the scores of other reviewers."""
        return self.diagnostics.consensus

    @property
    def scale_origin(self) -> str:
        """Where the scale came from, the levels that nobody used, and the option that changes it."""
        return str(self._record["settings"]["scale_origin"])

    @property
    def ties(self) -> tuple[float, float]:
        """The share of tied pairs of reviews, before and after."""
        return self._record["ties"]["before"], self._record["ties"]["after"]

    @property
    def scores(self) -> FrameT:
        """One row per review, in the caller's order.

        Columns: reviewer, paper, score, dequantized, percentile, and whatever else the caller has.
        """
        saved = self._saved("scores")
        if saved is not None:
            return saved
        inside, reviews = self.internals, self.internals.reviews
        extra = [name for name in inside.frame.columns if name not in _SCORE_COLUMNS]
        new = reviews.in_caller_order(inside.values)
        percentile = percentiles(new, reviews.scale.spacing)
        added = with_columns(inside.frame, {"dequantized": new, "percentile": percentile})
        return self._native(added[[*_SCORE_COLUMNS, *extra]])

    @property
    def papers(self) -> FrameT:
        """One row per paper, by id.

        Columns: paper, reviews, and the statistics of score and of dequantized, such as score_mean;
        of a saved result also what is known of title, track, area chair and decision.
        """
        saved = self._saved("papers")
        if saved is not None:
            return saved
        inside, problem = self.internals, self.internals.problem
        first = problem.by_paper[problem.paper_start[:-1]]
        ids = rows_of(inside.frame[["paper"]], inside.reviews.row[first])
        return self._native(with_columns(ids, inside.paper_columns))

    @property
    def selection(self) -> FrameT | None:
        """The validation curve: lam, error. None when λ was given."""
        curve = self._record["selection"]
        if curve is None:
            return None
        like = open_frame(self.scores, "scores") if self.run else self.internals.frame
        table: FrameT = frame_like(like, {name: np.array(curve[name]) for name in ("lam", "error")})
        return table

    @property
    def explanation(self) -> FrameT:
        """One row per review, in the caller's order: how far consensus, ranking and cell moved it.

        score + consensus + ranking + cell = dequantized.
        """
        given, saved = ["reviewer", "paper", "score"], self._saved("explanation")
        if saved is not None:
            parts = open_frame(saved, "explanation")[["consensus", "ranking", "cell"]]
            frame = open_frame(self.scores, "scores")[[*given, "dequantized"]]
            return self._native(frame.with_columns(*parts.iter_columns()))
        inside, ordered = self.internals, self.internals.reviews.in_caller_order
        columns = {"dequantized": ordered(inside.values)}
        for name in ("consensus", "ranking", "cell"):
            columns[name] = ordered(getattr(inside.parts, name))
        return self._native(with_columns(inside.frame[given], columns))

    @property
    def bindings(self) -> FrameT:
        """The comparisons that bind: reviewer, better, worse, how far each lifts one and lowers the other."""
        saved = self._saved("bindings")
        if saved is not None:
            return saved
        inside, found = self.internals, self.internals.explained[1]
        rows = inside.reviews.row
        pairs = rows_of(inside.frame[["reviewer", "paper"]], rows[found.better])
        worse = rows_of(inside.frame[["paper"]], rows[found.worse])["paper"].alias("worse")
        named = pairs.rename({"paper": "better"}).with_columns(worse)
        forces = {"lifts": found.lifts, "lowers": found.lowers}
        return self._native(with_columns(named, forces))

    @property
    def uncertainty(self) -> FrameT | None:
        """Intervals of effects and places, and p_accept for the run's line; None if none was saved."""
        return self._saved("uncertainty")

    @property
    def places(self) -> FrameT | None:
        """The distribution of each paper's place: paper, within, place, share; None if none was saved."""
        return self._saved("places")

    @property
    def calibration(self) -> FrameT | None:
        """Scores of papers with reviewers' strictness taken out; None if none was saved."""
        return self._saved("calibration")

    @property
    def reviewers(self) -> FrameT | None:
        """How far above the others each reviewer scores; None if it was not saved."""
        return self._saved("reviewers")

    @property
    def stability(self) -> FrameT | None:
        """How papers fare when reviewers are resampled; None if it was not saved."""
        return self._saved("stability")

    def _saved(self, name: str) -> FrameT | None:
        """Return a copy of a table of the run's folder; None where it is not there."""
        table: Any = None if self.run is None else self.run.tables.get(f"{name}.csv")
        copy: FrameT | None = None if table is None else table.clone()
        return copy

    def _native(self, frame: Frame) -> FrameT:
        native: FrameT = frame.to_native()
        return native

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
        from unround.report.pages import write_run_page
        from unround.runs.saved import save

        estimates = {
            "posterior": posterior,
            "calibration": calibration,
            "stability": stability,
        }
        where = checked_path("folder", folder)
        return save(self, where, estimates, page=write_run_page, force=force)

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
        from unround.report.pages import write_report

        if not isinstance(title, str):
            raise UsageError(f"title must be text, not {title!r}")
        return write_report(self, checked_path("path", path), title)

    @property
    def plot(self) -> Plots:
        """Figures: `plot()` draws all, `plot.validation()`, `plot.scores()`, `plot.moves()` one each.

        They need matplotlib: `pip install 'unround[lab]'`.
        """
        return Plots(self)

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
        counts, (before, after) = self._record["counts"], self.ties
        kinds = count_kinds(self.issues)
        issues = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
        lam = "∞" if math.isinf(self.lam) else f"{self.lam:.6g}"
        return [
            f"{counts['reviews']:,} reviews of {counts['papers']:,} papers by "
            f"{counts['reviewers']:,} reviewers, {counts['comparisons']:,} comparisons · scale "
            f"{self.scale.text} ({self.scale_origin})",
            f"λ = {lam} ({self.lam_reason}) · exact to {self.certificate.max_error:.1e} (proven)",
            f"ties {before:.1%} → {after:.1%} · issues: {issues}",
            *self._diagnosed(),
        ]

    @property
    def lam_reason(self) -> str:
        """How λ was chosen, in words."""
        decided = (self._record["selection"] or {}).get("decided", True)
        asked = str(self._record["settings"]["lam"]) if decided else "undecided"
        return LAMBDA_REASONS.get(asked, "as given")

    def _diagnosed(self) -> list[str]:
        """Return a line for each diagnostic; where none was computed, how to get them: they take solves."""
        if "diagnostics" not in vars(self) and "diagnostics" not in self._record:
            return ["diagnostics: see result.diagnostics"]
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
