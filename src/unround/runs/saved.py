"""A run folder -> the result that was saved in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from unround.certificate import Certificate
from unround.issues import Issue
from unround.preparation import prepare
from unround.result import BaseResult, Internals
from unround.runs.folder import SavedRun, read_run
from unround.runs.record import recorded_certificate, recorded_issues, recorded_settings
from unround.runs.tables import BINDINGS, EXPLANATION
from unround.runs.uncertainty import CALIBRATION, PLACES, REVIEWERS, STABILITY, UNCERTAINTY
from unround.scale import Scale
from unround.settings import Settings, checked_path
from unround.uncertainty.advice import Diagnostics


@dataclass(frozen=True, repr=False, eq=False)
class SavedResult(BaseResult[pl.DataFrame]):
    """A result read from its folder. It has the tables of a `Result`, as polars dataframes.

    Attributes
    ----------
    folder : Path
        Where it was read from.
    record : mapping
        What run.json holds.

    Examples
    --------
    >>> import pathlib, tempfile, warnings, unround
    >>> conference = unround.simulate.thurstone(papers=8, seed=1)
    >>> result = unround.dequantize(conference.reviews, conference.rankings, lam=2.0)
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # the page is left out of an unbuilt checkout
    ...     loaded = unround.load(result.save(pathlib.Path(folder, "run")))
    >>> loaded.scores.equals(result.scores), loaded.lam
    (True, 2.0)
    """

    run: SavedRun

    @property
    def folder(self) -> Path:
        """Where it was read from."""
        return self.run.folder

    @property
    def record(self) -> Any:
        """What run.json holds."""
        return self.run.record

    @cached_property
    def settings(self) -> Settings:
        """The options of the run; the tolerance is not recorded."""
        return recorded_settings(self.record)

    @cached_property
    def internals(self) -> Internals:  # type: ignore[override]
        """The problem that was solved, built again from the tables of the folder."""
        tables = self.run.input_tables()
        # The run was accepted, so nothing is refused here.
        settings = self.settings.changed(scale=self.scale, allow_loss=True)
        prepared = prepare(tables, settings)
        return Internals(
            tables=tables,
            settings=self.settings,
            frame=prepared.frame,
            reviews=prepared.reviews,
            problem=prepared.problem,
            lam=self.lam,
            values=self.run.scores["dequantized"].to_numpy()[prepared.reviews.row],
            curve=None,
        )

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """What the data said about themselves; computed anew for runs of earlier versions."""
        return Diagnostics.of_record(self.record) or self.internals.diagnostics

    @property
    def lam(self) -> float:
        """The λ used."""
        return float(self.record["lam"])

    @property
    def scale(self) -> Scale:
        """The scale in use."""
        return Scale(self.record["settings"]["scale"])

    @property
    def scale_origin(self) -> str:
        """Where the scale came from; runs of earlier versions do not say."""
        return str(self.record["settings"].get("scale_origin", "as recorded"))

    @cached_property
    def certificate(self) -> Certificate:  # type: ignore[override]
        """The proven bounds."""
        return recorded_certificate(self.record)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:  # type: ignore[override]
        """What was found in the input, and what was done about it."""
        return recorded_issues(self.record)

    @property
    def scores(self) -> pl.DataFrame:
        """One row per review: reviewer, paper, score, dequantized, percentile, and the rest."""
        return self.run.scores.clone()

    @property
    def papers(self) -> pl.DataFrame:
        """One row per paper, with what is known of its title, track, area chair and decision."""
        return self.run.papers.clone()

    @property
    def selection(self) -> pl.DataFrame | None:
        """The validation curve: lam, error. None when λ was given."""
        curve = self.record["selection"]
        return (
            None
            if curve is None
            else pl.DataFrame({name: curve[name] for name in ("lam", "error")})
        )

    @property
    def explanation(self) -> pl.DataFrame:
        """One row per review: how far consensus, ranking and cell moved it."""
        parts = self.run.others[EXPLANATION].select("consensus", "ranking", "cell")
        given = self.scores.select("reviewer", "paper", "score", "dequantized")
        return given.with_columns(parts)

    @property
    def bindings(self) -> pl.DataFrame | None:
        """The comparisons that bind; None where none does."""
        return self._other(BINDINGS)

    @property
    def uncertainty(self) -> pl.DataFrame | None:
        """Intervals of effects and places, and p_accept for the run's line; None if not requested."""
        return self._other(UNCERTAINTY)

    @property
    def places(self) -> pl.DataFrame | None:
        """The distribution of each paper's place: paper, within, place, share."""
        return self._other(PLACES)

    @property
    def calibration(self) -> pl.DataFrame | None:
        """Scores of papers with reviewers' strictness taken out; None if not requested."""
        return self._other(CALIBRATION)

    @property
    def reviewers(self) -> pl.DataFrame | None:
        """How far above the others each reviewer scores; None if not requested."""
        return self._other(REVIEWERS)

    @property
    def stability(self) -> pl.DataFrame | None:
        """How papers fare when reviewers are resampled; None if not requested."""
        return self._other(STABILITY)

    def _other(self, name: str) -> pl.DataFrame | None:
        """Return a copy of a table that not every run has."""
        return self.run.others[name].clone() if name in self.run.others else None

    @property
    def ties(self) -> tuple[float, float]:
        """The share of tied pairs of reviews, before and after."""
        return self.record["ties"]["before"], self.record["ties"]["after"]

    @property
    def _counts(self) -> dict[str, int]:
        return dict(self.record["counts"])

    @property
    def _asked(self) -> str:
        decided = (self.record["selection"] or {}).get("decided", True)
        return str(self.record["settings"]["lam"]) if decided else "undecided"


def load(folder: str | os.PathLike[str]) -> SavedResult:
    """Read a result that `result.save` or `unround run` wrote.

    Parameters
    ----------
    folder : path
        The run's folder.

    Returns
    -------
    SavedResult
        Its tables, λ, certificate and issues.

    Examples
    --------
    >>> import unround
    >>> try:
    ...     unround.load("no-such-folder")
    ... except unround.UnroundError as error:
    ...     print(error)
    no-such-folder is not the result of `unround run`: run.json is missing
    """
    return SavedResult(read_run(checked_path("folder", folder)))
