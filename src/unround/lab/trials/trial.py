"""One setting and one trial -> rows: method, metric, value, λ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unround.arrays import FloatArray
from unround.lab.registry import file_digest, find_data, find_method, find_metric, load_file
from unround.lab.study import Setting, Study
from unround.lab.trials.case import Answer, Case
from unround.lab.trials.sample import Sample
from unround.lab.trials.versions import code_digest, versions

CURVE = "curve: "


@dataclass(frozen=True)
class Row:
    """One number."""

    method: str
    metric: str
    value: float
    lam: float | None


@dataclass(frozen=True)
class Trial:
    """What to run: a setting, the number of the trial, and the methods and metrics of its study."""

    setting: Setting
    number: int
    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    curves: tuple[str, ...]
    sources: tuple[Path, ...] = ()

    @classmethod
    def of(cls, study: Study, setting: Setting, number: int, sources: Sequence[Path]) -> Trial:
        """A trial of a study."""
        return cls(
            setting,
            number,
            tuple(study.methods),
            tuple(study.metrics),
            tuple(study.curves),
            tuple(sources),
        )

    def key(self, scores_digest: str) -> str:
        """A name for the result: the same exactly when the result must be the same."""
        parts: list[Any] = [
            self.setting.identity,
            self.number,
            self.methods,
            self.metrics,
            self.curves,
            [file_digest(path) for path in self.sources],
            scores_digest if self.setting.needs_scores else "",
            versions(),
            code_digest(),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Outcome:
    """The rows of a finished trial and the seed that it was drawn with."""

    seed: int
    rows: tuple[Row, ...]


def run_trial(trial: Trial, scores: FloatArray | None) -> Outcome:
    """Draw the conference, run every method, measure."""
    for path in trial.sources:
        load_file(path)
    sample = _drawn(trial, scores)
    case = Case(sample, epsilon=trial.setting.epsilon, conflicts=trial.setting.conflicts)
    rows: list[Row] = []
    for name in trial.methods:
        answer = find_method(name).restore(case)
        if not isinstance(answer, Answer):
            answer = Answer(answer)
        for metric in trial.metrics:
            value = find_metric(metric).measure(case, answer.scores)
            rows.append(Row(name, metric, float(value), answer.lam))
    for name in trial.curves:
        curve = case.validation if name == "validation" else case.original
        pairs = zip(curve.lam.tolist(), curve.error.tolist(), strict=True)
        rows += [Row(CURVE + name, "kendall", error, lam) for lam, error in pairs]
    return Outcome(sample.seed, tuple(rows))


def _drawn(trial: Trial, scores: FloatArray | None) -> Sample:
    source = find_data(trial.setting.data)
    given = {"scores": scores} if source.needs_scores else {}
    drawn = source.draw(trial.number, **given, **trial.setting.parameters)
    return drawn if isinstance(drawn, Sample) else Sample(drawn, seed=trial.number)
