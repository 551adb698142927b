"""unround export: write a finished run for a conference system or a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import PATH
from unround.cli.screen import out
from unround.formats.cells import left_out_note
from unround.formats.live import Address, live_address, token_for
from unround.formats.model import ExportOptions
from unround.formats.registry import system_module
from unround.formats.systems.exports import decided_papers
from unround.output.atomic import whole_file
from unround.output.targets import check_file
from unround.runs.exports import SYSTEM_OF, export_for_system, with_decisions
from unround.runs.folder import Run, read_run
from unround.runs.inputs import openreview_client
from unround.wording import EXPORT_PARTS, SYSTEM_EXPORTS

POST_TO_OPENREVIEW = "openreview"  # the value of --post without an address
DECISIONS = ("cmt", "openreview-decisions")  # of decided papers alone
TARGETS = (*SYSTEM_OF, "csv", "xlsx")


@click.command(
    "export",
    short_help="Export a finished run to a conference system or spreadsheet.",
    epilog="Example: unround export results --to hotcrp -o assignments.csv",
)
@click.argument("run", type=PATH)
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="Format to write.")
@click.option("-o", "--output", type=PATH, help="File to write; not needed with an address.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--include",
    multiple=True,
    type=click.Choice([*EXPORT_PARTS]),
    default=("scores",),
    show_default=True,
    help="HotCRP: what to write; repeat for several.",
)
@click.option(
    "--decisions",
    type=PATH,
    help="Table of paper and decision, such as the console's papers.csv (default: the run's).",
)
@click.option("--per-review", is_flag=True, help="HotCRP: also write a tag value per review.")
@click.option("--tag", default="dq", show_default=True, help="HotCRP: prefix of the tags.")
@click.option("--invitation", help="OpenReview: invitation to post to.")
@click.option(
    "--post",
    is_flag=False,
    flag_value=POST_TO_OPENREVIEW,
    metavar="[ADDRESS]",
    help="Post to a running system, such as hotcrp+https://host/conference; OpenReview needs no address.",
)
@click.option("--dry-run", is_flag=True, help="With an address: only show what would change.")
def command(
    run: Path,
    target: str,
    output: Path | None,
    force: bool,
    include: tuple[str, ...],
    decisions: Path | None,
    per_review: bool,
    tag: str,
    invitation: str | None,
    post: str | None,
    dry_run: bool,
) -> None:
    """Export the results in folder RUN to a conference system or a spreadsheet.

    hotcrp: bulk assignments of tag values and decisions. openreview: an edge per review, as JSON.
    openreview-notes: a note per paper, as JSON. openreview-decisions, cmt: decisions. csv: one table
    of reviews. xlsx: a workbook of papers with their places before and after, and of reviews with
    their rankings.
    """
    address = _post_address(target, post, dry_run)
    if output is not None:
        check_file(output, force=force)
    elif address is None:
        raise click.UsageError("name a file to write with -o, or an address to post to with --post")
    finished = read_run(run)
    papers = finished.papers if decisions is None else with_decisions(finished.papers, decisions)
    options = ExportOptions(tag, per_review, invitation, include)
    text = ""
    if target in SYSTEM_OF:
        text = export_for_system(target, finished.scores, papers, options).text
    if target in DECISIONS or (target == "hotcrp" and "decisions" in include):
        undecided = papers.height - len(decided_papers(papers))
        for note in left_out_note(undecided, "paper without a decision"):
            out().print(note)
    if output is not None:
        _write(output, target, text, finished)
    if address is not None:
        token = token_for(address.system)
        for sentence in system_module(address.system).push(address, token, text, dry_run=dry_run):
            out().print(sentence, soft_wrap=True)
    elif post:
        _post(target, text)


def _post_address(target: str, post: str | None, dry_run: bool) -> Address | None:
    """Return the address to post to, if any; refuse one of another system."""
    address = live_address(post) if post else None
    system = SYSTEM_OF.get(target)
    if address is not None and address.system != system:
        raise click.UsageError(f"--post {post} needs --to {address.system}")
    if post and address is None and (post != POST_TO_OPENREVIEW or system != "openreview"):
        raise click.UsageError(
            "--post needs an address such as hotcrp+https://host/conference, or --to openreview or "
            "openreview-notes"
        )
    if dry_run and address is None:
        raise click.UsageError("--dry-run needs --post with an address")
    return address


def _write(output: Path, target: str, text: str, finished: Run) -> None:
    with whole_file(output) as draft:
        if text:
            draft.write_bytes(text.encode())  # with the line ends that the system wants
        else:
            _write_table(finished, target, draft)
    out().print(f"{output}: {finished.papers.height:,} papers, {finished.scores.height:,} reviews")
    if target in SYSTEM_EXPORTS:
        out().print(SYSTEM_EXPORTS[target].text)


def _write_table(run: Run, target: str, path: Path) -> None:
    from unround.output.tables import write_csv, write_xlsx
    from unround.runs.exports import reviews_with_papers, wide_papers, wide_reviews

    if target == "csv":
        write_csv(reviews_with_papers(run), path)
    else:
        write_xlsx({"Papers": wide_papers(run), "Reviews": wide_reviews(run)}, path)


def _post(target: str, text: str) -> None:
    from unround.formats.systems import openreview

    posted = openreview.post(openreview_client(), target, text)
    out().print(f"{posted:,} posted to OpenReview")
