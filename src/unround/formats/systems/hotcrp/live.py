"""Fetch reviews and ranks from a running HotCRP, and set tags and decisions there.

A scope that is too small is answered with less, not with an error: what must be there is checked.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unround.formats.cells import counted, listed
from unround.formats.live import Address, Downloaded, Site, token_for
from unround.formats.systems.hotcrp.rankings import USUAL_TAG

READING = "a chair's token with the scope read is needed"
PUSHING = (
    "a chair's token with the scopes read and tag:admin is needed, and paper:admin for decisions"
)
EVERYTHING = "all"  # submitted, withdrawn and unfinished papers: readers say what they leave out


def download(address: Address, folder: Path, *, with_rankings: bool) -> Downloaded:
    """Fetch the reviews with their form and, unless rankings are given, everybody's ranks."""
    site = Site(address, token_for(address.system), READING)
    chair = _chair(site)
    settings = site.get_json("api/settings", filter="tag_rank")
    tag = str(settings.get("settings", {}).get("tag_rank") or USUAL_TAG)
    answer = _list_action(site, "get/jsonrqc", "")
    if not any(paper.get("reviews") for paper in site.parsed(answer).get("papers", ())):
        raise site.refuse(f"no review is to be seen: {READING}, if any was submitted")
    reviews = _saved(folder, site, "reviews.json", answer)
    if not with_rankings:
        note = f"{address.host}: ranks were not fetched, since rankings are given"
        return Downloaded((reviews,), notes=(note,))
    site.get_json("api/taganno", tag=tag)  # refused without the right to read tags
    ranks = _list_action(site, "get/csv", f"show:tagval:any~{tag}")
    if not any("#~" in name for name in next(csv.reader(io.StringIO(ranks.decode())), [])):
        return Downloaded((reviews,), notes=(f"{address.host}: nobody has ranked papers yet",))
    return Downloaded((reviews,), (_saved(folder, site, "ranks.csv", ranks),), chair)


def push(address: Address, text: str, *, dry_run: bool) -> list[str]:
    """Set the tags and decisions of an export, or only say what would change; all or nothing."""
    site = Site(address, token_for(address.system), PUSHING)
    _chair(site)
    planned = _assign(site, text, dry_run="1")
    if dry_run or not planned.get("assignments"):
        return [f"{address.host} would change: {_described(planned)}"]
    done = _assign(site, text)
    return [f"{address.host} changed: {_described(done)}"]


def _assign(site: Site, text: str, **query: str) -> Mapping[str, Any]:
    answer = site.post("api/assign", text.encode(), "text/csv", format="json", **query)
    if not answer.get("valid") or "assignments" not in answer:
        raise site.refuse("the assignments are refused, and nothing was changed")
    return dict(answer)


def _described(answer: Mapping[str, Any]) -> str:
    """Count the tags that are set and removed, and the decisions."""
    kinds: Counter[str] = Counter()
    papers: dict[str, None] = {}
    for one in answer["assignments"]:
        papers[str(one["pid"])] = None
        kinds["tag removed" if one["action"] == "cleartag" else f"{one['action']} set"] += 1
    counts = ", ".join(counted(count, kind) for kind, count in kinds.items()) or "nothing"
    return f"{counts}; papers {listed([*papers])}" if papers else counts


def _chair(site: Site) -> str:
    """Return the e-mail of the token's account; refuse one that does not see everything."""
    account = site.get_json("api/whoami")
    email = str(account.get("email") or "nobody")
    if not {"chair", "admin", "sysadmin"} & {*account.get("roles", ())}:
        raise site.refuse(f"the token belongs to {email}, who is not a chair; use a chair's token")
    return email


def _list_action(site: Site, action: str, search: str) -> bytes:
    return site.get("api/searchaction", action=action, q=search, t=EVERYTHING)


def _saved(folder: Path, site: Site, name: str, content: bytes) -> Path:
    path = folder / f"{site.address.host.replace(':', '-')}-{name}"
    path.write_bytes(content)
    return path
