"""Read pretalx's reviews and sessions, from files or a running site; write scores back to one.

Titles of columns follow the language of whoever exports. Scores go into a custom field that is switched off:
organisers see and sort by it. If it were active, every speaker would read their own score.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import counted, listed
from unround.formats.files.json_stream import json_stream
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.live import Address, Downloaded, Site
from unround.formats.model import (
    Context,
    ExportedFile,
    ExportOptions,
    FileContent,
    Gives,
    ImportRefused,
    Options,
    PaperBuilder,
    Reader,
)
from unround.formats.systems.exports import ExportKind, Exports
from unround.formats.systems.review_collector import Review, ReviewCollector

EXPANDED = "user,scores.category,submission,submission.track"
FIELD = "unround score"
READING = "a token of an organiser with the right to read reviews and submissions is needed"
WRITING = "a token of an organiser with the right to write questions and answers is needed"
HIDDEN = "hidden_reviews"  # added to what is fetched: reviews of the account's own sessions
MOST_PAGES = 1_000
DECIMALS = 4
TITLES = {
    "score": "ocena|pontuação|poäng|punteggio|puntuación|score|skóre|wertung|điểm|βαθμολογία|"
    "оценка|оцінка|النتيجة|スコア|分數|得分|점수",
    "paper": "einreichungs-id|id da proposta|id de propuesta|id della proposta|id přihlášky|"
    "id zgłoszenia|id пропозиції|identifiant de la proposition|mã (id) của đề xuất|"
    "proposal id|voorstel id|ταυτότητα πρότασησ|идентификатор на предложение|投稿 id|"
    "提议id|제안 id",
    "title": "název přihlášky|proposal title|titel|titolo della proposta|"
    "titre de la proposition|tytuł zgłoszenia|título da proposta|"
    "título de la propuesta|voorstel titel|τίτλοσ πρότασησ|заглавие на предложение|"
    "назва доповіді|عنوان الطلب (المقترح)|投稿タイトル|提案标题|議程投稿標題|제안 제목",
    "reviewer_name": "nazwa recenzenta|nom de l'évaluateur|nombre del revisor|nome da pessoa revisora|"
    "nome del revisore|nome do revisor|přiřazená kontrola|recencent naam|"
    "reviewer name|reviewer-name|tên người bình duyệt|όνομα αξιολογητή|"
    "име на рецензент|ім’я рецензента|审核者姓名|審稿者名稱|검토자 이름",
    "reviewer_email": "adres e-mail recenzenta|correo electrónico del revisor|"
    "e-mail da pessoa revisora|e-mail de l'évaluateur|e-mail do revisor|"
    "e-mail kontrolujícího|e-mail на рецензент|email del revisore|"
    "email người bình duyệt|email αξιολογητή|recencent email|reviewer email|"
    "reviewer-e-mail|електронна пошта рецензента|审核者电子邮件|審稿者電子郵件|검토자 이메일",
    "modified": "actualizado|aggiornato|aktualisiert|atualizado|mis à jour|updated|upraveno|"
    "оновлено|променен на",
    "state": "einreichungsstatus|estado da proposta|estado de la propuesta|proposal state|"
    "stan zgłoszenia|stato della proposta|statut de la proposition|stav přihlášky|"
    "tình trạng của đề xuất|voorstel status|κατάσταση πρότασησ|статус пропозиції|"
    "състояние на предложението|حالة المقترح|投稿の状態|提案状态|議程投稿狀態|제안 상태",
}
ROLES = {title: role for role, titles in TITLES.items() for title in titles.split("|")}
OUT = {
    "withdrawn": "withdrawn",
    "canceled": "cancelled",
    "deleted": "deleted",
    "draft": "unfinished",
}
DECISIONS = {"accepted": "accepted", "confirmed": "accepted", "rejected": "rejected"}
IF_HIDDEN = "Export again with the reviewers' names and e-mails, from an organiser's account"


def _title(name: str) -> str:
    """Return what a column is, in capitals; the title of another as it is."""
    title = title_of(name)
    return ROLES.get(title, "").upper() or title


EXPORTS = Exports(
    "pretalx",
    ExportKind("reviews", "pretalx reviews (CSV or JSON)", ("PAPER", "SCORE")),
    ExportKind("sessions", "pretalx sessions (CSV or JSON)", ("STATE", "id")),
    title=_title,
)


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read one review per row; columns that pretalx did not name are categories and questions."""
    collector = ReviewCollector(source.name, "pretalx reviews", IF_HIDDEN)
    collector.withdrawn_in = "sessions with Proposal state"
    total = ""
    for _, table in EXPORTS.tables(source, "reviews", notes=collector.notes):
        columns = {ROLES.get(title_of(name), ""): name for name in reversed(table.data.columns)}
        total = columns.pop("score")
        if any(title_of(name).count(title_of(total)) > 1 for name in table.data.columns):
            total = ""  # a category has this name: its scores stand in place of the sum
        known = {role: name for role, name in columns.items() if role}
        fields = [name for name in table.data.columns if name not in known.values()]
        collector.add_rows(table, known, fields)
    return collector.part_of_one(options, total)


def _add_sessions(papers: PaperBuilder, table: Table, options: Options) -> None:
    """Add titles, decisions, and which sessions are out of the running."""
    for place, row in table.records():
        known = {ROLES[title]: cell for title, cell in row.items() if title in ROLES}
        state = known["state"]
        known |= {"track": row.get("track", ""), "decision": DECISIONS.get(state, "")}
        papers.add_paper(place, row["id"], known, OUT.get(state, ""))


def recognises_api(source: Source) -> bool:
    """Return whether the file is an answer of GET /api/events/EVENT/reviews/."""
    marks = ('"results"', '"submission"', '"scores"')
    return source.looks_like_json and all(mark in source.head_text for mark in marks)


def read_api(source: Source, options: Options, context: Context) -> FileContent:
    """Read reviews with their categories and the states of sessions."""
    collector = ReviewCollector(source.name, "pretalx reviews (API)", IF_HIDDEN)
    number = 0
    for key, value in json_stream(source):
        if key == HIDDEN and value:
            hidden = counted(value, "review")
            collector.notes.append(f"{hidden} of the account's own sessions cannot be seen")
        elif key == "results":
            number += 1
            _add(collector, value, f"{source.name}, review {number} of the file")
    return collector.part_of_one(options)


def _add(collector: ReviewCollector, entry: Any, place: str) -> None:
    whole = entry if isinstance(entry, Mapping) else {}
    session, user = whole.get("submission"), whole.get("user")
    if not isinstance(session, Mapping) or not isinstance(user, Mapping):
        raise ImportRefused(
            f"{place} names its session or reviewer by a code alone: fetch the reviews with "
            f"expand={EXPANDED}"
        )
    code, state, track = session.get("code"), str(session.get("state")), session.get("track")
    if state in OUT:
        collector.withdrawn[str(code)] = OUT[state]
    collector.add(
        Review(
            place=place,
            paper=str(code or ""),
            values=_categories(entry, collector),
            review=str(entry.get("id", "")),
            name=str(user.get("name") or ""),
            email=str(user.get("email") or ""),
            carried={
                "title": str(session.get("title") or ""),
                "track": _text(track.get("name")) if isinstance(track, Mapping) else "",
                "decision": DECISIONS.get(state, ""),
            },
        )
    )


def _categories(
    entry: Mapping[str, Any], collector: ReviewCollector
) -> Iterator[tuple[str, object]]:
    scores = entry.get("scores")
    for score in scores if isinstance(scores, list) else ():
        category = score.get("category") if isinstance(score, Mapping) else None
        if not isinstance(category, Mapping):
            raise ImportRefused(
                f"{collector.name}: scores without categories; fetch the reviews with "
                f"expand={EXPANDED}"
            )
        if category.get("active") is False:
            collector.left_out["score of a category that is switched off"] += 1
        else:
            yield _text(category.get("name")), score.get("value")


def _text(name: object) -> str:
    """Return a name that may be written in several languages."""
    if isinstance(name, Mapping):
        return str(name.get("en") or next(iter(name.values()), ""))
    return str(name or "")


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the code and the mean of each session, all of the same width: pretalx sorts them as text."""
    scored = papers.filter(pl.col("dequantized_mean").is_not_null())
    texts = value_text(scored["dequantized_mean"].to_list())
    table = pl.DataFrame({"paper": scored["paper"].cast(pl.String), "score": texts})
    return ExportedFile("csv", table.write_csv())


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
    codes = {str(session.get("code")) for session in _pages(site, "submissions/")}
    strangers = [code for code in values if code not in codes]
    if strangers:
        raise site.refuse(
            f"{len(strangers)} of {counted(len(values), 'session')} are not of this event: "
            f"{listed(strangers, 3)}. Nothing was written; is it the address of this run's event?"
        )
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
    counts = [counted(len(changed), "score set")] if changed else []
    counts += [counted(len(stale), "score removed")] if stale else []
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
    for number in range(1, MOST_PAGES + 1):
        answer = site.get_json(path, page_size="250", page=str(number), **query)
        yield from site.objects(answer, "results")
        if not answer.get("next"):
            return
    raise site.refuse(f"{path} has more than {MOST_PAGES:,} pages; is it another system?")


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


READERS: tuple[Reader, ...] = (
    Reader("pretalx-api", "pretalx reviews (API)", Gives.REVIEWS, recognises_api, read_api),
    EXPORTS.reader(read_reviews, Gives.REVIEWS, "reviews"),
    EXPORTS.papers("sessions", _add_sessions),
)
