"""Results: studies, their tidy table and its summary, from which panels are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab.plan import Panel
from unround.lab.results.summary import Summary
from unround.lab.study import Study
from unround.lab.trials.trial import CURVE


@dataclass(frozen=True)
class Results:
    """The numbers of all studies."""

    studies: Sequence[Study]
    table: pl.DataFrame

    @cached_property
    def summary(self) -> Summary:
        """Means and standard errors."""
        return Summary(self.table)

    def study(self, name: str) -> Study:
        """Return a study by its name."""
        return next(study for study in self.studies if study.name == name)

    def settings(self, study: str) -> list[str]:
        """Return the labels of a study's computed settings, in order."""
        part = self.table.filter(pl.col("study") == study)
        return part["setting"].unique(maintain_order=True).to_list()

    def has(self, panel: Panel) -> bool:
        """Return whether a panel has data."""
        settings = self.settings(panel.study)
        return bool(settings) and (not panel.setting or panel.setting in settings)

    def curve(self, panel: Panel, name: str) -> tuple[FloatArray, FloatArray]:
        """Return λ and error along one trial's curve."""
        rows = self.table.filter(
            (pl.col("study") == panel.study)
            & (pl.col("setting") == panel.setting)
            & (pl.col("trial") == panel.trial)
            & (pl.col("method") == CURVE + name)
        ).sort("lam")
        lam, error = rows["lam"].to_numpy(), rows["value"].to_numpy()
        return lam.astype(np.float64), error.astype(np.float64)
