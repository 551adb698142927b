"""Runs as pages: the HTML file of a View, the page of a run, and the pages of area chairs.

A page needs nothing else: no server, no network, no other file. Script and style are built from web/ into
the package. The script is compressed, to a third of its size; what the viewer may see is plain JSON. The
page's Content-Security-Policy allows this script and this style only, and no connection to any host.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain, count
from pathlib import Path
from string import Template

import polars as pl

from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.model import View
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import encoded, view
from unround.errors import UsageError
from unround.output.atomic import whole_file, whole_folder
from unround.output.tables import write_csv
from unround.output.targets import check_file, check_target
from unround.progress import StageProgress
from unround.result import Result
from unround.runs.compute import run_of_result
from unround.runs.folder import Run

Bundle = Traversable | Path
BUNDLE: Bundle = files("unround").joinpath("static", "report")
SCRIPT, STYLE = "report.js", "report.css"
# Larger pages are slow to open in a browser.
MOST_REVIEWS = 200_000
INDEX = "index.csv"
INDEX_COLUMNS = ("area_chair", "file", "papers")
LONGEST_NAME = 80

_UNPACK = """(async () => {
  const packed = atob(document.getElementById("script").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch(() => {
  document.getElementById("root").textContent =
    "This browser is too old for this report: open it with one of 2023 or later.";
});"""
# Marks of a Template: $title $policy $style $view $script $unpack.
_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>$style</style>
</head>
<body>
<noscript>This report is drawn by a script in this file: allow scripts to read it.</noscript>
<div id="root"></div>
<script type="application/json" id="view">$view</script>
<script type="text/plain" id="script">$script</script>
<script>$unpack</script>
</body>
</html>
""")


class PageNotBuilt(UsageError):
    """The front end is missing: wheels contain it, a checkout must build it."""

    def __init__(self) -> None:
        super().__init__(
            "the report's page is not in this installation; with Node 20 or newer, `pip install .` in "
            "the checkout brings it (after `pip install -e .`, `make web` does)"
        )


def page(shown: View, *, bundle: Bundle | None = None) -> bytes:
    """Return the page of a View. `bundle` holds the script and the style."""
    built = bundle or BUNDLE
    script, style = _read(built, SCRIPT), _style(_read(built, STYLE))
    policy = (
        f"default-src 'none'; script-src '{_digest(_UNPACK)}' '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    text = _PAGE.substitute(
        title=html.escape(_title(shown)),
        policy=html.escape(policy, quote=False),
        style=style,
        view=_json(encoded(shown).decode()),
        script=_packed(script),
        unpack=_UNPACK,
    )
    return text.encode()


def is_built(bundle: Bundle | None = None) -> bool:
    """Return whether the front end is there."""
    return all((bundle or BUNDLE).joinpath(name).is_file() for name in (SCRIPT, STYLE))


def _title(shown: View) -> str:
    who = shown["viewer"]["name"]
    return " · ".join(part for part in (shown["conference"], shown["name"], who) if part)


def _read(bundle: Bundle, name: str) -> str:
    """Return a file as text with LF line ends, as a browser reads it from a page."""
    try:
        text = bundle.joinpath(name).read_text("utf-8")
    except OSError as error:
        raise PageNotBuilt from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _json(text: str) -> str:
    """Escape JSON so that it cannot close its element or end a line of script."""
    text = text.replace("<", "\\u003c")
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@lru_cache(maxsize=1)  # the pages of all area chairs have the same script
def _packed(script: str) -> str:
    return base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode()


def _style(text: str) -> str:
    """Escape a style sheet so that none of its strings looks like a closing tag."""
    return text.replace("</", "<\\/")


def _digest(text: str) -> str:
    """Return the hash by which the policy allows an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def write_run_page(run: Run, path: Path) -> str:
    """Write the chair's page of a run; return why it is left out, or an empty string."""
    snapshot = Snapshot.of_run(run)
    if snapshot.reviews.height > MOST_REVIEWS:
        return (
            f"{path.name} is left out: a page of more than {MOST_REVIEWS:,} reviews is too large "
            "for a browser; `unround report --all-area-chairs` makes smaller ones"
        )
    try:
        path.write_bytes(page(view(snapshot)))
    except PageNotBuilt as error:
        return f"{path.name} is left out: {error}"
    return ""


def write_report(result: Result, path: Path, title: str) -> Path:
    """Write the chair's page of a result."""
    write_snapshot(Snapshot.of_run(run_of_result(result)), path, title)
    return path


def write_snapshot(snapshot: Snapshot, path: Path, title: str) -> None:
    """Write the chair's page of a run."""
    with whole_file(path) as draft:
        draft.write_bytes(page(view(snapshot, conference=title)))


def check_output(output: Path, *, folder: bool, force: bool) -> None:
    """Refuse an output that cannot be written, or that holds something else."""
    if not is_built():
        raise PageNotBuilt
    check = check_target if folder else check_file
    check(output, force=force)


def write_all(
    snapshot: Snapshot,
    chairs: Sequence[AreaChair],
    scope: Scope,
    output: Path,
    title: str,
    *,
    force: bool,
    progress: StageProgress,
) -> None:
    """Write a page for every area chair, and index.csv: all of them or none.

    scope  what area chairs may see beside their papers
    """
    names = file_names([chair.name for chair in chairs])
    rows = []
    with whole_folder(output, force=force) as folder:
        for chair, file in zip(chairs, names, strict=True):
            theirs = replace(scope, area_chair=chair.name, papers=chair.papers)
            (folder / file).write_bytes(page(view(snapshot, theirs, conference=title)))
            rows.append((chair.name, file, len(chair.papers)))
            progress("writing", len(rows), len(chairs))
        write_csv(pl.DataFrame(rows, schema=list(INDEX_COLUMNS), orient="row"), folder / INDEX)


def file_names(names: Sequence[str]) -> list[str]:
    """Return a file name for every name: plain letters and digits, numbered where two are the same.

    >>> file_names(["Ann Lee", "Zoë / Ünal", "ann lee", "李"])
    ['ann-lee.html', 'zoe-unal.html', 'ann-lee-2.html', 'area-chair.html']
    """
    stems: dict[str, None] = {}
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME] or "area-chair"
        tries = chain([stem], (f"{stem}-{number}" for number in count(2)))
        stems[next(file for file in tries if file not in stems)] = None
    return [f"{stem}.html" for stem in stems]
