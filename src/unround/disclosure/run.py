"""What a view says about the run as a whole: settings, λ, certificate, issues and uncertainty.

A chair gets every issue as it was recorded. An area chair gets only issues about their own papers, in
sentences written for them: recorded ones name reviewers and count papers outside the scope. Whether an
order has room depends on every paper of a chain, so these issues are searched for again within the
scope, and what the run did about them is left out.

Uncertainty is for chairs only: places among all papers and the strictness of reviewers reveal papers
and people outside a scope.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import polars as pl

from unround.disclosure.model import (
    CalibrationView,
    CertificateView,
    CurveView,
    EstimatesView,
    IssueView,
    PlaceShares,
    RunView,
    SettingsView,
    StabilityView,
    UncertaintyView,
    WithoutColumns,
)
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.issues import Kind
from unround.preparation import ABOUT_ROOM
from unround.problem.conflicts import CYCLE_SET_ASIDE, POLICIES
from unround.reviews.rankings import STATEMENT_SET_ASIDE
from unround.runs.record import issue_record, missing_reason
from unround.runs.uncertainty import (
    CALIBRATION,
    PLACES,
    REVIEWERS,
    STABILITY,
    UNCERTAINTY,
    WITHOUT,
)
from unround.uncertainty.advice import Diagnostics
from unround.uncertainty.calibration import strictness_verdict
from unround.wording import PAGE, advice, written_for

DECIMALS = 4  # of effects and standard errors
SHARE_DECIMALS = 3
# Of errors, for area chairs: all digits of a share of all reviews would reveal how many there are.
ERROR_DIGITS = 3
# What area chairs read about what was done; the record may say more, such as how many hidden papers
# were concerned. What was done with a contradiction depends on the policy.
DONE = {
    Kind.CYCLE: CYCLE_SET_ASIDE,
    Kind.UNREVIEWED: STATEMENT_SET_ASIDE,
    Kind.SELF: STATEMENT_SET_ASIDE,
}
# Issues as area chairs read them; {who} is the reviewer's label.
SENTENCES = {
    Kind.CONTRADICTION: "{who} ranks {above}, against their own scores",
    Kind.CYCLE: "{who} states a cycle among papers {listed}",
    Kind.NO_ROOM: "{who} ranks {above}: epsilon does not fit between their scores",
    Kind.UNREVIEWED: "{who} ranks {listed} without a review of it",
    Kind.SELF: "{who} says that {listed} is better than itself",
}


def run_view(
    snapshot: Snapshot, inside: Snapshot, scope: Scope, reviewers: pl.DataFrame
) -> RunView:
    """Return the facts about a run that a viewer may see.

    inside     what is in scope
    reviewers  those in view: reviewer, label
    """
    record, exact = snapshot.record, scope.shows_forces
    return {
        "lam": record["lam"] if exact else None,
        "selection": _curve(record["selection"], scope) if exact else None,
        "settings": _settings(record["settings"], scope),
        "certificate": _certificate(record["certificate"]) if exact else None,
        "issues": _all_issues(record["issues"])
        if scope.is_chair
        else _issues_in_scope(inside, reviewers),
        "inputs": [{"file": one["file"], "sha256": one["sha256"]} for one in record["inputs"]]
        if scope.is_chair
        else [],
        "read": [*record["recognised"], *record["notes"]] if scope.is_chair else [],
        "versions": dict(record["versions"]),
    }


def _curve(selection: Mapping[str, Any] | None, scope: Scope) -> CurveView | None:
    """Return the finite points of the curve."""
    if selection is None:
        return None
    points = zip(selection["lam"], selection["error"], strict=True)
    drawn = [(lam, error) for lam, error in points if math.isfinite(lam) and math.isfinite(error)]
    full = scope.is_chair or scope.disclosure == "scoped"
    errors = [error if full else float(f"{error:.{ERROR_DIGITS}g}") for _, error in drawn]
    return {"lam": [lam for lam, _ in drawn], "error": errors}


def _settings(settings: Mapping[str, Any], scope: Scope) -> SettingsView:
    return {
        "lam": str(settings["lam"]).removesuffix(".0") if scope.shows_forces else None,
        "epsilon": settings["epsilon"],
        "scale": list(settings["scale"]),
        "scale_origin": settings["scale_origin"] if scope.is_chair else "",
        "conflicts": settings["conflicts"],
        "unranked": settings["unranked"],
    }


def _certificate(certificate: Mapping[str, Any] | None) -> CertificateView | None:
    if certificate is None:
        return None
    return {name: certificate[name] for name in ("max_error", "max_violation")}  # type: ignore[return-value]


@written_for(PAGE)
def diagnostics_text(record: Mapping[str, Any]) -> list[str]:
    """Return what the data say about themselves, in words; nothing for runs without checks."""
    found = Diagnostics.of_record(record)
    return [] if found is None else found.in_words()


@written_for(PAGE)
def _all_issues(records: Sequence[Mapping[str, Any]]) -> list[IssueView]:
    """Return every issue as recorded, with advice in the console's words."""
    return [
        {
            "kind": record["kind"],
            "message": record["message"],
            "where": list(record["where"]),
            "advice": advice(record["kind"]),
            "action": record["action"],
            "count": record["count"],
        }
        for record in records
    ]


def _issues_in_scope(inside: Snapshot, reviewers: pl.DataFrame) -> list[IssueView]:
    """Return the issues between papers of a scope whose reviewer has a label there."""
    shown = [record for record in inside.record["issues"] if record["kind"] not in ABOUT_ROOM]
    rule = POLICIES[inside.record["settings"]["conflicts"]]
    done = {**DONE, Kind.CONTRADICTION: rule.done}
    shown += room_issues(inside)
    papers = frozenset(map(str, inside.papers["paper"].to_list()))
    ids = map(str, reviewers["reviewer"].to_list())
    labels = dict(zip(ids, reviewers["label"].to_list(), strict=True))
    return [
        {
            "kind": record["kind"],
            "message": _sentence(record, labels[str(record["reviewer"])]),
            "where": [],
            "advice": "",
            "action": done.get(record["kind"], "") if record["action"] else "",
            "count": 1,
        }
        for record in shown
        if record["kind"] in SENTENCES
        and record["papers"]
        and str(record["reviewer"]) in labels
        and papers.issuperset(map(str, record["papers"]))
    ]


def room_issues(inside: Snapshot) -> list[dict[str, Any]]:
    """Return the issues about room that follow from the reviews and statements of a scope alone."""
    if not inside.reviews.height:
        return []
    return [
        issue_record(replace(issue, action=""))
        for issue in inside.prepared.issues
        if issue.kind in ABOUT_ROOM
    ]


def _sentence(record: Mapping[str, Any], who: str) -> str:
    """Say what an issue is; each paper with the score that its reviewer gave, where there is one."""
    papers, scores = list(map(str, record["papers"])), record["scores"]
    if len(scores) == len(papers):
        papers = [f"{paper} (score {score})" for paper, score in zip(papers, scores, strict=True)]
    above, listed = (word.join(papers) for word in (" above ", ", "))
    return SENTENCES[record["kind"]].format(who=who, above=above, listed=listed)


def estimates_view(
    snapshot: Snapshot, papers: pl.DataFrame, reviewers: pl.DataFrame
) -> EstimatesView | None:
    """Return the uncertainty of a run by paper and reviewer; None if none was requested.

    Ids are compared as text.
    """
    record, tables = snapshot.record, snapshot.estimates
    if not any(name in record for name in ("uncertainty", "calibration", "stability")):
        return None
    ids = papers.select(_text("paper")), reviewers.select(_text("reviewer"))
    return {
        "missing": missing_reason(record),
        "uncertainty": _uncertainty(record["uncertainty"], tables, ids[0])
        if UNCERTAINTY in tables
        else None,
        "calibration": _calibration(record["calibration"], tables, *ids)
        if CALIBRATION in tables
        else None,
        "stability": _stability(record["stability"], tables[STABILITY], ids[0])
        if STABILITY in tables
        else None,
    }


def without_view(
    snapshot: Snapshot, papers: pl.DataFrame, reviewers: pl.DataFrame
) -> WithoutColumns | None:
    """Return the places without contradictions; None for runs that have none or did not compute them."""
    if WITHOUT not in snapshot.estimates:
        return None
    found = snapshot.estimates[WITHOUT]
    for name, known in (("paper", papers), ("reviewer", reviewers)):
        numbers = known.select(_text(name), pl.col("number").alias(f"{name}_number"))
        found = _along(found.select(_text(name), pl.exclude(name)), numbers)
    numbered = found.drop("paper", "reviewer").rename(lambda name: name.removesuffix("_number"))
    return cast(WithoutColumns, numbered.to_dict(as_series=False))


def _text(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String)


def _along(ids: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a table in the order of ids, nulls where it has none."""
    key = ids.columns[0]
    return ids.join(table.with_columns(_text(key)), on=key, how="left", maintain_order="left")


def _uncertainty(
    note: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], papers: pl.DataFrame
) -> UncertaintyView:
    found = _along(papers, tables[UNCERTAINTY])
    places = {
        str(name): part for (name,), part in tables[PLACES].group_by("within", maintain_order=True)
    }
    within = places.get("track")
    columns = {
        **{name: note[name] for name in ("interval", "draws", "rhat", "effective")},
        **{name: found[name].round(DECIMALS).to_list() for name in ("mean", "low", "high")},
        **{name: found[name].to_list() for name in ("place_low", "place", "place_high")},
        "among_all": _shares(papers, places["all"]),
        "within_track": None if within is None else _shares(papers, within),
    }
    return cast(UncertaintyView, columns)


def _shares(papers: pl.DataFrame, places: pl.DataFrame) -> PlaceShares:
    """Return the points of each paper's distribution of places, one paper after the other."""
    points = papers.join(
        places.with_columns(_text("paper")), on="paper", how="inner", maintain_order="left_right"
    )
    sizes = _along(papers, points.group_by("paper").len())["len"].fill_null(0)
    return {
        "start": [0, *sizes.cum_sum().to_list()],
        "place": points["place"].to_list(),
        "thousandths": (1000 * points["share"]).round().cast(pl.Int64).to_list(),
    }


@written_for(PAGE)
def _calibration(
    note: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
    papers: pl.DataFrame,
    reviewers: pl.DataFrame,
) -> CalibrationView:
    by_paper = _along(papers, tables[CALIBRATION])
    by_reviewer = _along(reviewers, tables[REVIEWERS])
    columns = {
        **{name: note[name] for name in ("caution", "recommended", "parts")},
        "verdict": strictness_verdict(note["p_value"]),
        "calibrated": by_paper["calibrated"].round(DECIMALS).to_list(),
        "se": by_paper["se"].round(DECIMALS).to_list(),
        "effect": by_reviewer["effect"].round(DECIMALS).to_list(),
        "effect_se": by_reviewer["se"].round(DECIMALS).to_list(),
    }
    return cast(CalibrationView, columns)


def _stability(note: Mapping[str, Any], table: pl.DataFrame, papers: pl.DataFrame) -> StabilityView:
    found, line = _along(papers, table), note["accept"] is not None
    columns = {
        **{name: note[name] for name in ("share_of_pairs", "draws", "accept", "caution")},
        "stays": found["stays"].round(SHARE_DECIMALS).to_list() if line else None,
        "depends_on": found["depends_on"].fill_null("").to_list() if line else None,
    }
    return cast(StabilityView, columns)
