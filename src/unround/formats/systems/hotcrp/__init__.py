"""Read HotCRP's reviews, scores and rankings, from files or a running site; write for it, and to it.

A scope of a token that is too small is answered with less, not with an error: what must be there is checked.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.live import Address, Downloaded, Site
from unround.formats.model import ExportedFile, ExportOptions, Gives, Reader
from unround.formats.systems.hotcrp import lists, rankings, review_forms, reviews
from unround.formats.systems.hotcrp.rankings import USUAL_TAG
from unround.formats.systems.hotcrp.writers import as_csv, assignments

__all__ = ["READERS", "assignments", "download", "export", "push"]

READING = "a chair's token with the scope read is needed"
PUSHING = (
    "a chair's token with the scopes read and tag:admin is needed, and paper:admin for decisions"
)
EVERYTHING = "all"  # submitted, withdrawn and unfinished papers: readers say what they leave out
# fmt: off
READERS: tuple[Reader, ...] = tuple(
    Reader(f"hotcrp-{name}", title, gives, recognises, read)
    for name, gives, title, recognises, read in (
        ("assignments", Gives.MEMBERS, lists.ASSIGNMENTS_TITLE, lists.recognises_assignments,
         lists.read_assignments),
        ("rqc", Gives.REVIEWS, reviews.RQC_TITLE, reviews.recognises_rqc, reviews.read_json),
        ("reviews-json", Gives.REVIEWS, reviews.API_TITLE, reviews.recognises_api, reviews.read_json),
        ("reviews", Gives.REVIEWS, reviews.CSV_TITLE, reviews.recognises_reviews, reviews.read_reviews),
        ("forms", Gives.REVIEWS, review_forms.TITLE, review_forms.recognises, review_forms.read),
        ("tags", Gives.STATEMENTS, lists.TAGS_TITLE, lists.recognises_tags, lists.read_tags),
        ("ranking", Gives.STATEMENTS, rankings.OFFLINE_TITLE, rankings.recognises_offline,
         rankings.read_offline),
        ("ranks", Gives.STATEMENTS, rankings.RANKS_TITLE, rankings.recognises_ranks, rankings.read_ranks),
        ("rank-assignments", Gives.STATEMENTS, rankings.ASSIGNMENTS_TITLE,
         rankings.recognises_assignments, rankings.read_ranks),
        ("papers", Gives.PAPERS, lists.CSV_TITLE, lists.recognises_csv, lists.read_csv),
        ("text", Gives.PAPERS, lists.TEXT_TITLE, lists.recognises_text, lists.pass_over_text),
    )
)
# fmt: on


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return bulk assignments of tag values and decisions."""
    return ExportedFile("csv", assignments(scores, papers, options))


def download(address: Address, token: str, folder: Path, *, with_rankings: bool) -> Downloaded:
    """Fetch the reviews with their form and, unless rankings are given, everybody's ranks."""
    site = Site(address, token, READING)
    chair = _chair(site)
    settings = site.get_json("api/settings", filter="tag_rank").get("settings")
    tag = str((settings if isinstance(settings, dict) else {}).get("tag_rank") or USUAL_TAG)
    answer = _list_action(site, "get/jsonrqc", "")
    if not any(paper.get("reviews") for paper in site.objects(site.parsed(answer), "papers")):
        raise site.refuse(f"no review is to be seen: {READING}, if any was submitted")
    saved = address.file(folder, "reviews.json")
    saved.write_bytes(answer)
    if not with_rankings:
        note = f"{address.host}: ranks were not fetched, since rankings are given"
        return Downloaded((saved,), notes=(note,))
    site.get_json("api/taganno", tag=tag)  # refused without the right to read tags
    listing = _list_action(site, "get/csv", f"show:tagval:any~{tag}").decode(errors="replace")
    header, *rows = csv.reader(io.StringIO(listing, newline="")) if listing.strip() else [[""]]
    if not any("#~" in name for name in header):
        return Downloaded((saved,), notes=(f"{address.host}: nobody has ranked papers yet",))
    # The account's own column has no name.
    own = [f"{chair} {name}" if name.startswith("#~") else name for name in header]
    ranks = address.file(folder, "ranks.csv")
    ranks.write_text(as_csv([own, *rows]), "utf-8")
    return Downloaded((saved,), (ranks,))


def push(address: Address, token: str, text: str, *, dry_run: bool) -> list[str]:
    """Set the tags and decisions of an export, or only say what would change; all or nothing."""
    site = Site(address, token, PUSHING)
    _chair(site)
    planned = _assign(site, text, dry_run="1")
    if dry_run or not planned:
        return [f"{address.host} would change: {_described(planned)}"]
    done = _assign(site, text)
    return [f"{address.host} changed: {_described(done)}"]


def _assign(site: Site, text: str, **query: str) -> list[dict[str, Any]]:
    answer = site.post("api/assign", text.encode(), "text/csv", format="json", **query)
    if not answer.get("valid"):
        raise site.refuse("the assignments are refused, and nothing was changed")
    return site.objects(answer, "assignments")


def _described(assignments: Sequence[Mapping[str, Any]]) -> str:
    """Count the tags that are set and removed, and the decisions."""
    kinds: Counter[str] = Counter()
    papers: dict[str, None] = {}
    for one in assignments:
        papers[str(one.get("pid"))] = None
        action = one.get("action")
        kinds["tag removed" if action == "cleartag" else f"{action} set"] += 1
    counts = ", ".join(counted(count, kind) for kind, count in kinds.items()) or "nothing"
    return f"{counts}; papers {listed([*papers])}" if papers else counts


def _chair(site: Site) -> str:
    """Return the e-mail of the token's account; refuse one that does not see everything."""
    account = site.get_json("api/whoami")
    email = str(account.get("email") or "nobody")
    if not {"chair", "admin", "sysadmin"} & {*map(str, account.get("roles") or ())}:
        raise site.refuse(f"the token belongs to {email}, who is not a chair; use a chair's token")
    return email


def _list_action(site: Site, action: str, search: str) -> bytes:
    return site.get("api/searchaction", action=action, q=search, t=EVERYTHING)
