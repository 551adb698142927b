"""Plans: studies with their figures, read from TOML or Python files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from unround.errors import UsageError
from unround.lab.registry import find_metric, load_file
from unround.lab.study import Study

OURS = ("paper", "decisions")
GROUPS = {"all": "paper", "decisions": "decisions"}
OF_INTERVALS = ("coverage", "reliability")  # painters that show no method's errors
PAPERS_DATA = "ICLR 2017"  # name, in our plans, of the conference whose scores the user gives


@dataclass(frozen=True)
class Panel:
    """One pair of axes: `kind` is a painter's name (figures/panels.py); the rest selects its data."""

    kind: str
    study: str
    title: str = ""
    metric: str = "kendall"
    setting: str = ""
    trial: int = 0
    curve: str = ""
    method: str = ""
    log: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure of one or more panels."""

    name: str
    title: str
    panels: tuple[Panel, ...]
    columns: int = 2


@dataclass(frozen=True)
class StudyPlan:
    """The studies and figures of one file or several."""

    studies: tuple[Study, ...]
    figures: tuple[Figure, ...] = ()
    sources: tuple[Path, ...] = ()  # a researcher's files, loaded wherever a trial runs

    def __add__(self, other: StudyPlan) -> StudyPlan:
        return StudyPlan(
            _once((*self.studies, *other.studies), "studies"),
            _once((*self.figures, *other.figures), "figures"),
            tuple(dict.fromkeys((*self.sources, *other.sources))),
        )

    def only(self, names: Sequence[str]) -> StudyPlan:
        """Return the studies of these names, with the panels about them."""
        studies = tuple(study for study in self.studies if study.name in names)
        parts = tuple(
            replace(figure, panels=tuple(p for p in figure.panels if p.study in names))
            for figure in self.figures
        )
        return StudyPlan(studies, tuple(f for f in parts if f.panels), self.sources)

    def with_all_figures(self) -> StudyPlan:
        """Return the plan with a figure of errors for every study whose methods no figure shows."""
        panels = [panel for figure in self.figures for panel in figure.panels]
        shown = {panel.study for panel in panels if panel.kind not in OF_INTERVALS}
        more = tuple(
            _figure_of(study)
            for study in self.studies
            if study.name not in shown and study.methods and study.metrics
        )
        return replace(self, figures=(*self.figures, *more))


def plan_for(names: Sequence[str], data: str = PAPERS_DATA) -> StudyPlan:
    """Return the plan for the command line's names: studies, groups of studies, files or folders.

    data  name of the user's scores, in titles and labels
    """
    ours, plan = list[str](), StudyPlan(())
    for name in names or ("all",):
        if name in GROUPS:
            ours += [study.name for study in our_plan(GROUPS[name]).studies]
        elif name.endswith((".toml", ".py")):
            plan += read_file(Path(name))
        elif Path(name).is_dir():
            plan += read_folder(Path(name))
        else:
            ours.append(_checked_name(name))
    return sum((our_plan(part, data).only(ours) for part in OURS), start=plan).with_all_figures()


def _checked_name(name: str) -> str:
    """Return the name of one of our studies. Raise UsageError for any other."""
    known = [study.name for part in OURS for study in our_plan(part).studies]
    if name in known:
        return name
    raise UsageError(
        f"there is no study {name!r}; there are: {', '.join(known)}, {', '.join(GROUPS)}, or a file "
        "(.toml or .py) or folder of your own"
    )


@cache
def our_plan(part: str, data: str = PAPERS_DATA) -> StudyPlan:
    """Return the studies of one of our files."""
    text = files("unround.lab").joinpath(f"{part}.toml").read_text("utf-8")
    return parse(tomllib.loads(text.replace(PAPERS_DATA, json.dumps(data)[1:-1])), f"{part}.toml")


def read_file(path: Path) -> StudyPlan:
    """Read a researcher's file: TOML with [[study]], or Python with STUDIES."""
    if path.suffix == ".py":
        studies = getattr(load_file(path), "STUDIES", None)
        if not studies or not all(isinstance(study, Study) for study in studies):
            raise UsageError(
                f"{path.name} must list its studies: STUDIES = [unround.lab.Study(..)]"
            )
        return StudyPlan(tuple(studies), sources=(path.resolve(),))
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path.name} is not TOML: {error}") from error
    sources = tuple((path.parent / name).resolve() for name in table.pop("code", []))
    for source in sources:
        load_file(source)
    return replace(parse(table, path.name), sources=sources)


def read_folder(folder: Path) -> StudyPlan:
    """Read every TOML file of a folder, in the order of their names."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise UsageError(f"{folder} holds no study: no file ends in .toml")
    return sum((read_file(path) for path in files), start=StudyPlan(()))


def parse(table: Mapping[str, Any], name: str) -> StudyPlan:
    """Make a plan from a parsed TOML file."""
    unknown = sorted(set(table) - {"defaults", "study", "figure"})
    if unknown:
        raise UsageError(
            f"{name}: unknown part {unknown[0]!r}; parts are defaults, study and figure"
        )
    studies = [{**table.get("defaults", {}), **given} for given in table.get("study", ())]
    figures = [
        {**given, "panels": tuple(_parsed(Panel, p, name) for p in given.get("panels", ()))}
        for given in table.get("figure", ())
    ]
    plan = StudyPlan(
        tuple(_parsed(Study, given, name) for given in studies),
        tuple(_parsed(Figure, given, name) for given in figures),
    )
    if not plan.studies:
        raise UsageError(f"{name} describes no [[study]]")
    return plan


Part = TypeVar("Part", Study, Figure, Panel)


def _parsed(kind: type[Part], given: Mapping[str, Any], name: str) -> Part:
    known = [entry.name for entry in fields(kind)]
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise UsageError(
            f"{name}: a {kind.__name__.lower()} has no {unknown[0]!r}; it has: {', '.join(known)}"
        )
    try:
        return kind(**given)
    except TypeError as error:
        raise UsageError(f"{name}: {kind.__name__.lower()} is incomplete: {error}") from error


def _figure_of(study: Study) -> Figure:
    panels = tuple(
        Panel("errors", study.name, title=find_metric(metric).label, metric=metric)
        for metric in study.metrics
    )
    return Figure(study.name, study.title, panels, columns=min(len(panels), 3))


Named = TypeVar("Named", Study, Figure)


def _once(entries: Sequence[Named], kind: str) -> tuple[Named, ...]:
    """Return each entry once. Raise UsageError for different ones of one name."""
    by_name: dict[str, Named] = {}
    for entry in entries:
        if by_name.setdefault(entry.name, entry) != entry:
            raise UsageError(f"two {kind} are called {entry.name!r}")
    return tuple(by_name.values())
