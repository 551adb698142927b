"""unround export: write a finished run for a conference system or a spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unround.cli.options import FOLDER
from unround.cli.screen import out
from unround.formats.systems import hotcrp
from unround.output.atomic import whole_file
from unround.output.targets import check_file
from unround.runs.exports import SYSTEMS, items_text, openreview_items
from unround.runs.folder import SavedRun, read_run
from unround.runs.inputs import openreview_client

TARGETS = (*SYSTEMS, "csv", "parquet", "xlsx")


@click.command(
    "export",
    short_help="Export a finished run to a conference system or spreadsheet.",
    epilog="Example: unround export results --to hotcrp -o assignments.csv",
)
@click.argument("run", type=FOLDER)
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="Format to write.")
@click.option("-o", "--output", type=FOLDER, required=True, help="File to write.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--per-review", is_flag=True, help="HotCRP: also write a tag value per review.")
@click.option("--tag", default="dq", show_default=True, help="HotCRP: prefix of the tags.")
@click.option("--invitation", help="OpenReview: invitation to post to.")
@click.option("--post", is_flag=True, help="OpenReview: also post what was written.")
def command(
    run: Path,
    target: str,
    output: Path,
    force: bool,
    per_review: bool,
    tag: str,
    invitation: str | None,
    post: bool,
) -> None:
    """Export the results in folder RUN to a conference system or a spreadsheet.

    hotcrp: bulk assignments of tag values. openreview: an edge per review, as JSON. openreview-notes: a
    note per paper, as JSON. csv, parquet: one table of reviews. xlsx: a workbook of papers with their
    places before and after, and of reviews with their rankings.
    """
    check_file(output, force=force)
    if post and not target.startswith("openreview"):
        raise click.UsageError("--post needs --to openreview or openreview-notes")
    finished = read_run(run)
    items = _openreview_items(finished, target, invitation)
    with whole_file(output) as draft:
        if items is None:
            _write_table(finished, target, draft, tag, per_review=per_review)
        else:
            draft.write_text(items_text(items), "utf-8")
    if post and items is not None:
        _post(items, target)
    out().print(f"{output}: {finished.papers.height:,} papers, {finished.scores.height:,} reviews")


def _write_table(run: SavedRun, target: str, path: Path, tag: str, *, per_review: bool) -> None:
    from unround.output.tables import write_csv, write_parquet, write_xlsx
    from unround.runs.exports import wide_papers, wide_reviews

    if target in ("csv", "parquet"):
        joined = run.scores.lazy().join(
            run.papers.lazy(), on="paper", how="left", maintain_order="left"
        )
        if target == "csv":
            write_csv(joined.collect(), path)
        else:
            write_parquet(joined, path)
    elif target == "xlsx":
        write_xlsx({"Papers": wide_papers(run), "Reviews": wide_reviews(run)}, path)
    else:
        lines = hotcrp.assignments(run.scores, run.papers, tag=tag, per_review=per_review)
        path.write_text(lines, "utf-8")


def _openreview_items(
    run: SavedRun, target: str, invitation: str | None
) -> list[dict[str, Any]] | None:
    """Return OpenReview's edges or notes, or None for other targets."""
    if not target.startswith("openreview"):
        return None
    if invitation is None:
        raise click.UsageError(
            f"--to {target} needs --invitation, such as VENUE/-/Dequantized_Score"
        )
    return openreview_items(run.scores, run.papers, target, invitation)


def _post(items: list[dict[str, Any]], target: str) -> None:
    from unround.formats.systems.openreview import post_edges, post_notes

    send = post_edges if target == "openreview" else post_notes
    out().print(f"{send(openreview_client(), items):,} posted to OpenReview")
