"""Run studies and write their tables, figures and report into one folder (`unround reproduce`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.lab.catalogue.iclr import HOW_TO_GET, read_scores
from unround.lab.figures import check_installed, draw, save
from unround.lab.pages.document import Picture, write_report
from unround.lab.pages.report import TITLE, report_blocks
from unround.lab.plan import PAPERS_DATA, StudyPlan, plan_for
from unround.lab.results import Results, tidy, write_tables
from unround.lab.trials.runner import Store, lacking_scores, run, trials_of
from unround.output.targets import check_path
from unround.progress import StageProgress

# What a results folder holds: the trials to resume from, and what is written from them.
OURS = ("trials", "tables", "figures", "report.html")


def reproduce(
    names: Sequence[str],
    folder: Path,
    *,
    trials: int,
    data: Path | None,
    jobs: int,
    client: Any = None,
    progress: StageProgress,
) -> tuple[list[str], list[str]]:
    """Run studies and write their results; trials finished in the folder are not run again.

    With a Dask client the trials run on its cluster. Return the studies that were run, and those left out,
    wholly or in part, because data are missing.
    """
    check_installed()
    check_folder(folder)
    scores = None if data is None else read_scores(data)
    is_other = data is not None and scores is not None and not scores.is_iclr_2017
    plan = plan_for(names, data.name if data is not None and is_other else PAPERS_DATA)
    planned = trials_of(plan, trials, scores)
    lacking = lacking_scores(plan, scores)
    if not planned:
        raise UsageError(f"nothing can run: {HOW_TO_GET}")
    finished = run(
        planned,
        scores,
        Store(folder / "trials"),
        jobs=jobs,
        client=client,
        progress=lambda done, total: progress("trials", done, total),
    )
    results = Results(plan.studies, tidy(finished))
    write_tables(results.table, folder / "tables")
    pictures = _pictures(plan, results, folder, progress)
    write_report(TITLE, report_blocks(plan, results, scores, lacking, pictures), folder)
    return list(dict.fromkeys(trial.study.name for trial in planned)), lacking


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot be written, or that holds other files."""
    check_path(folder)
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder for the results")
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    others = [name for name in names if name not in OURS]
    if others:
        raise UsageError(
            f"{folder} holds files that are not from `unround reproduce` ({others[0]}); choose another folder"
        )


def _pictures(
    plan: StudyPlan, results: Results, folder: Path, progress: StageProgress
) -> list[Picture]:
    pictures = []
    for done, figure in enumerate(plan.figures):
        progress("figures", done, len(plan.figures))
        drawing = draw(figure, results)
        if drawing is not None:
            svg = save(drawing, figure.name, folder / "figures")
            pictures.append(Picture(figure.name, figure.title, svg))
    progress("figures", len(plan.figures), len(plan.figures))
    return pictures
