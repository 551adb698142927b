"""What an area chair may see of a run, as values that a worker can be given."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from unround.console.storage.orm import AreaChairRow, ConferenceRow, RunRow
from unround.disclosure.scope import Scope


def titles(conference: ConferenceRow, run: RunRow) -> dict[str, Any]:
    """Return what a view says about itself."""
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return {"conference": conference.name, "name": run.name, "finished": finished}


def scope_values(
    conference: ConferenceRow, area_chair: AreaChairRow, papers: Collection[str]
) -> dict[str, Any]:
    """Return the scope of an area chair as JSON values."""
    return {
        "area_chair": area_chair.name,
        "papers": sorted(papers),
        "stars": conference.show_stars,
        "names": conference.show_names,
        "decisions": conference.show_decisions,
        "disclosure": conference.disclosure,
        "key": conference.key,
    }


def scope_of(values: Mapping[str, Any]) -> Scope:
    """Return the scope of these values."""
    papers, key = frozenset(values["papers"]), bytes.fromhex(values["key"])
    return Scope(**{**values, "papers": papers, "key": key})
