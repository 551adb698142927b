"""Fetch reviews from a running pretalx, and write scores into a custom field that is switched off.

Organisers see and sort by such a field. If it were active, every speaker would read their own score.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.formats.cells import counted, listed
from unround.formats.live import Address, Downloaded, Site

EXPANDED = "user,scores.category,submission,submission.track"
FIELD = "unround score"
READING = "a token of an organiser with the right to read reviews and submissions is needed"
WRITING = "a token of an organiser with the right to write questions and answers is needed"
HIDDEN = "hidden_reviews"  # added to what is fetched: reviews of the account's own sessions
MOST_PAGES = 10_000
DECIMALS = 4


def download(address: Address, token: str, folder: Path, *, with_rankings: bool) -> Downloaded:
    """Fetch all reviews, with categories and sessions, and count those hidden from the account."""
    site = _site(address, token, READING)
    reviews = list(_pages(site, "reviews/", expand=EXPANDED))
    listed_ids = {
        one for session in _pages(site, "submissions/") for one in session.get("reviews") or ()
    }
    hidden = len(listed_ids - {review.get("id") for review in reviews})
    path = address.file(folder, "reviews.json")
    answer = {"count": len(reviews), HIDDEN: hidden, "results": reviews}
    path.write_text(json.dumps(answer), "utf-8")
    return Downloaded((path,))


def push(address: Address, token: str, text: str, *, dry_run: bool) -> list[str]:
    """Write an export into the field, which is created if need be, or only say what would change."""
    site = _site(address, token, WRITING)
    values = {row["paper"]: row["score"] for row in csv.DictReader(io.StringIO(text))}
    field = _field(site)
    answers = _pages(site, "answers/", question=str(field["id"])) if field else ()
    before = {str(one.get("submission")): one for one in answers}
    changed = {
        code: value for code, value in values.items() if before.get(code, {}).get("answer") != value
    }
    stale = {code: one["id"] for code, one in before.items() if code not in values}
    if not dry_run and (changed or stale):
        field = field or _created(site)
        for code, value in changed.items():
            _post(site, "answers/", {"question": field["id"], "submission": code, "answer": value})
        for answer in stale.values():
            site.delete(f"answers/{answer}/")
    counts = [counted(len(changed), "score set")] * bool(changed)
    counts += [counted(len(stale), "score removed")] * bool(stale)
    what = f"{', '.join(counts)}; sessions {listed([*changed, *stale])}" if counts else "nothing"
    return [f"{address.host} {'would change' if dry_run or not counts else 'changed'}: {what}"]


def value_text(values: Sequence[float]) -> list[str]:
    """Return numbers as texts of one width.

    >>> value_text([9.5, 10.25])
    ['09.5000', '10.2500']
    """
    if any(value < 0 for value in values):
        raise UsageError(
            "pretalx sorts scores as text, which puts negative ones in the wrong order"
        )
    width = max((len(f"{value:.{DECIMALS}f}") for value in values), default=0)
    return [f"{value:0{width}.{DECIMALS}f}" for value in values]


def _site(address: Address, token: str, needed: str) -> Site:
    """Return the API of an event: host/event is served at host/api/events/event."""
    host, _, event = address.url.rpartition("/")
    if host.endswith(":/"):
        raise UsageError(f"{address.url} names no event: pretalx+https://host/event")
    api = replace(address, url=f"{host}/api/events/{event}")
    return Site(api, token, needed, "Token")


def _pages(site: Site, path: str, **query: str) -> Iterator[Mapping[str, Any]]:
    for number in range(1, MOST_PAGES):
        answer = site.get_json(path, page_size="250", page=str(number), **query)
        yield from site.objects(answer, "results")
        if not answer.get("next"):
            return


def _field(site: Site) -> Mapping[str, Any] | None:
    """Return the field for scores, if there is one; refuse one that speakers see."""
    for question in _pages(site, "questions/"):
        names = question.get("question")
        if FIELD in (names.values() if isinstance(names, Mapping) else (names,)):
            if question.get("active") or question.get("is_public"):
                raise site.refuse(
                    f"the field {FIELD!r} is active or public, so that speakers would read their "
                    "scores; switch it off first"
                )
            return question
    return None


def _created(site: Site) -> Mapping[str, Any]:
    field = {"question": {"en": FIELD}, "variant": "number", "target": "submission"}
    hidden = dict.fromkeys(
        ("active", "is_public", "is_visible_to_reviewers", "contains_personal_data"), False
    )
    made = _post(site, "questions/", {**field, **hidden, "question_required": "optional"})
    if made.get("active") or made.get("is_public"):
        raise site.refuse(f"the field {FIELD!r} was created active; switch it off, and push again")
    return made


def _post(site: Site, path: str, body: Mapping[str, object]) -> Mapping[str, Any]:
    return site.post(path, json.dumps(body).encode(), "application/json")
