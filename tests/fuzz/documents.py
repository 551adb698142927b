"""Targets whose files are JSON documents or texts of a kind of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.mutations import change_line, changed_json, damaged_at_times
from tests.fuzz.plain import Differs, check_count, holds, records_in, same_number, under
from tests.fuzz.target import KNOWN, REVIEWS, Made, Target
from unround.formats.model import Context, FileContent, Options

Record = Mapping[str, Any]
FIXTURES = Path(__file__).parents[1] / "formats" / "fixtures"


def _fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text("utf-8"))


VENUE = "example.org/TC/2026/Conference"
_LINES = (FIXTURES / "openreview" / "v2_reviews.jsonl").read_text("utf-8").splitlines()
NOTES = [json.loads(line) for line in _LINES]
PRETALX = _fixture("pretalx/api.json")
PRETALX |= {"count": 3, "results": PRETALX["results"][:3]}
for _review in PRETALX["results"]:
    del _review["score"]  # the sum: under another key than "results" it makes a plain table
INDICO = _fixture("indico/abstracts.json")
INDICO |= {"abstracts": INDICO["abstracts"][:3]}
_FORM, END, _ = (
    (FIXTURES / "hotcrp" / "form-old.txt").read_text("utf-8").partition("==+== End Review\n")
)
_OF_OTHERS = re.compile("papers? hidden|scores? of a category")  # notes that count no reviews
# The first line that is written below the heading of the score.
_ANSWER = re.compile(r"^==\+==.*Overall.*mer.*\n(?:(?:==-==.*|\s*)\n)*((?!==).+)", re.MULTILINE)


def _json(
    name: str, document: Any, check: Callable[[FileContent, Any], None], **options: Any
) -> Target:
    """Return a target of JSON."""

    def made(random: Random) -> Made:
        changed = changed_json(deepcopy(document), random)
        data = damaged_at_times(_as_bytes(changed, random), random)
        return data, lambda content: check(content, _parsed(data))

    return Target(name, ".json", made, Options(**options))


def _reviews(
    listed: str,
    counted: str = "",
    fixed: Callable[[Any], list[Record]] = lambda document: [{}],
    is_review: Callable[[Record], bool] = lambda record: True,
    **keys: str,
) -> Callable[[FileContent, Any], None]:
    """Check that each review's values stand in one object listed under a key, and one of the fixed, too.

    As many reviews as objects are listed under `counted` must be read, or said to be left out.
    """
    counted = counted or listed

    def check(content: FileContent, document: Any) -> None:
        if content.reviews is not None:
            records = records_in({listed: document}, listed)
            for row in content.reviews.table.iter_rows(named=True):
                _check_stated(records, _claim(row, keys), fixed(document))
                if row["paper"] != row.get("forum", row["paper"]):  # or what a reply answers to
                    answers = [one for one in records if holds(one, {"": row["forum"]})]
                    _check_stated(answers, {"": f"{row['paper']}/"})
            reviews = filter(is_review, records_in({counted: document}, counted))
            notes = [note for note in content.notes if not _OF_OTHERS.search(note)]
            check_count(len([*reviews]), content.reviews.table.height, notes)

    return check


def _claim(row: Record, keys: Mapping[str, str]) -> Record:
    """Return the values of a review by the keys under which they stand, without ids of our own.

    Lists and objects in place of an id are left out, too.
    """
    known = {**row, "paper": row.get("forum", row["paper"])}
    named = "@" in row["reviewer"] or VENUE in row["reviewer"]
    if not named or row["reviewer"] == row.get("review") or " of paper " in row["reviewer"]:
        del known["reviewer"]
    return {keys[name]: known[name] for name in keys if (known.get(name) or "[")[0] not in "[{"}


def _merit(document: Any) -> list[Record]:
    questions = records_in(document, "questions")
    return [{"question": one.get("id")} for one in questions if one.get("title") == "Merit"]


def _ranks(content: FileContent, document: Any) -> None:
    if content.ranks is not None:
        tags = records_in({"": document}, "")
        for reviewer, paper, rank in content.ranks.table.iter_rows():
            _check_stated(tags, {"signature": reviewer, "forum": paper, "label": f"{rank} of"})
        check_count(len(tags), content.ranks.table.height, content.notes)


def _members(content: FileContent, document: Any) -> None:
    groups = records_in({"": document}, "")
    for group, person in content.context.members.items():
        _check_stated(groups, {"id": group, "members": person})
    for group in groups:
        match group:
            case {"id": str(key), "members": [str(person)]}:
                if person.strip() and key.strip() not in ("", *content.context.members):
                    raise Differs(f"{group} is left out")


def _check_stated(records: list[Record], claim: Record, fixed: Sequence[Record] = ({},)) -> None:
    """Check that one record has these values and one of the fixed, each under a key that begins so."""
    if not any(holds(record, {**one, **claim}) for one in fixed for record in records):
        raise Differs(f"no record of the file has {claim}")


def _levels(content: FileContent, document: Any) -> None:
    """Check that the levels are the numbers of the rating's choices."""
    levels = content.scale.levels if content.scale is not None else ()
    if levels and not any(isinstance(level, str) for level in levels):
        ratings = under(document, "rating")
        lists = [
            one for rating in ratings for one in under(rating, "enum") if isinstance(one, list)
        ]
        if not any(set(levels) == _numbers(choices) for choices in lists):
            raise Differs(f"levels {levels}, in the file {lists}")


def _numbers(choices: list[Any]) -> set[float]:
    texts = (str(next(under(choice, "value"), choice)) for choice in choices)
    return {float(found[0]) for text in texts if (found := re.match(r"[-+.0-9]+", text))}


def _as_bytes(document: Any, random: Random) -> bytes:
    """Write JSON in one of the ways in which people save it."""
    if isinstance(document, list) and random.random() < 0.3:
        text = "\n".join(map(json.dumps, document))
    else:
        text = json.dumps(document, indent=random.choice((None, 1)))
    return text.encode(random.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))


def _parsed(data: bytes) -> Any:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = data.decode(encoding)
    try:
        parsed = json.loads(text)
    except ValueError:
        parsed = [json.loads(line) for line in text.splitlines() if line.strip()]
    # Halves of characters, which JSON can spell but no text may hold, are replaced.
    whole = json.dumps(parsed, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(whole.decode("utf-16", "replace"))


def _is_review(note: Record) -> bool:
    """Return whether a note answers to the invitation to review, by the first key that names any."""
    for key in ("invitations", "invitation", "parentInvitations"):
        listed = note[key] if isinstance(note.get(key), list) else [note.get(key)]
        texts = [str(one).strip() for one in listed if type(one) in (str, int, float)]
        if any(texts):
            return any(text.endswith("/Official_Review") for text in texts)
    return False


def _form(review: Record) -> str:
    """Return the fixture's form as the author of this review has filled it in."""
    form = _FORM.replace("#18A", "#{paper}{letter}").replace("#18", "#{paper}")
    form = form.replace("Ana Muñoz <ana.munoz@example.org>", "{name} <{email}>")
    return form.replace("2. Weak reject\n\n", "{score}. Label\n\n").format(**review) + END


def _forms(random: Random) -> Made:
    forms = [*map(_form, REVIEWS)]
    odd = ("No entry", "7. Odd", "B", "", "(Your choice here)", "3.5")
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(forms))
        lines = forms[at].split("\n")
        change_line(lines, random, odd, lambda line: line.replace("==", "=", 1))
        forms[at] = "\n".join(lines)
    if random.random() < 0.2:
        forms.append(forms[random.randrange(len(forms))])
    end = random.choice(("\n", "\r\n"))
    text = "".join(forms).replace("\n", end)
    data = damaged_at_times(text.encode(random.choice(("utf-8", "utf-8-sig"))), random)
    return data, lambda content: _forms_in(content, data)


def _forms_in(content: FileContent, data: bytes) -> None:
    """Check that each review is that of the form on its line."""
    if content.reviews is None:
        return
    text = "\n".join(re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace")))
    begins = [match.start() for match in re.finditer(r"^\ufeff?==\+==\s?Begin Review", text, re.M)]
    forms = {
        text.count("\n", 0, begin) + 1: text[begin:end]
        for begin, end in pairwise([*begins, len(text)])
    }
    for row, values in enumerate(content.reviews.table.iter_rows(named=True)):
        place = content.reviews.place(row)
        form = forms[int(place.rpartition(" ")[2])]
        if not re.search(rf"#{values['paper']}(?![0-9])", form):
            raise Differs(f"{place} is not about paper {values['paper']}")
        if "@" in values["reviewer"] and values["reviewer"] not in form:
            raise Differs(f"{place} is not by {values['reviewer']}")
        answers = map(str.upper, _ANSWER.findall(form))  # letters may be lower case
        if not any(same_number(answer, values["score"]) for answer in answers):
            raise Differs(f"{place} does not give the score {values['score']}")
    ends = re.findall(r"^==[+*]==[ \t]?\s*End Review\s*$", text, re.M | re.I)
    check_count(len(ends), content.reviews.table.height, content.notes)


def _ranking(random: Random) -> Made:
    lines = ["action,paper,title", "tag,~rank", "", "# a comment"]
    lines += [",8,A", ",5,B", "=,1,C", ">>,4,D", "X,6,E"]
    odd = (">,8,A", "2.5,3,B", "=,9,Z", "x,8,A", "7", ",,", "tag,other", "Tag: ~rank")
    for _ in range(random.randint(1, 3)):
        change_line(
            lines, random, odd, lambda line: line.replace(",", random.choice((", ", "\t", ";")))
        )
    data = damaged_at_times(random.choice(("\n", "\r\n")).join(lines).encode(), random)
    return data, lambda content: _ranking_in(content, data)


def _ranking_in(content: FileContent, data: bytes) -> None:
    if content.ranks is None:
        return
    lines = re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace"))
    for row, (_, paper, _rank) in enumerate(content.ranks.table.iter_rows()):
        line = lines[int(content.ranks.place(row).rpartition(" ")[2]) - 1]
        if paper not in re.split(r"[,\t|]", line.replace(" ", "")):
            raise Differs(f"{line!r} does not rank paper {paper}")
    ranked = _plain_ranks(lines)
    read = sorted(content.ranks.table.select("paper", "rank").iter_rows())
    if ranked is not None and read != sorted(ranked.items()):
        raise Differs(f"read {read}, in the file {ranked}")


def _plain_ranks(lines: list[str]) -> dict[str, float] | None:
    """Follow the lines by HotCRP's rules; None where they are not the simple ones."""
    value, ranks = 0.0, dict[str, float]()
    if sum(line.lower().startswith("tag") for line in lines) > 1:
        return None
    for line in filter(str.strip, lines):
        if line.lower().startswith("tag") and not ranks:
            value = 0.0
        elif not re.match(r"#|action\s*[,\t]\s*paper\b", line):
            ranking = re.fullmatch(
                r"\s*(>*|=|[Xx]|[0-9.]+)\s*[,\t]\s*([0-9]+)\s*(?:[,\t][^;]*)?", line
            )
            if ranking is None:
                return None
            mark, paper = ranking.groups()
            if mark in ("X", "x"):
                ranks.pop(paper, None)
                continue
            if mark != "=":
                value = float(mark) if mark.strip(">") else value + max(len(mark), 1)
            ranks[paper] = value
    return ranks


HOTCRP_KEYS = {"paper": "pid", "score": "OveMer", "reviewer": "reviewer"}
HOTCRP = _reviews("reviews", is_review=lambda review: "error" not in review, **HOTCRP_KEYS)
NOTE_KEYS = {"paper": "", "review": "id", "score": "rating", "reviewer": "signatures"}
PRETALX_KEYS = {"paper": "code", "score": "value", "reviewer": "user"}
INDICO_KEYS = {"paper": "friendly_id", "review": "id", "score": "value", "reviewer": "user"}
_RANKER = Options(ranker="ann@example.org"), Context(reviewers=KNOWN)
TARGETS: tuple[Target, ...] = (
    _json("openreview-notes", NOTES, _reviews("", is_review=_is_review, **NOTE_KEYS)),
    _json("openreview-tags", _fixture("openreview/v2_tags.json"), _ranks),
    _json("openreview-groups", _fixture("openreview/v2_groups.json"), _members),
    _json("openreview-form", _fixture("openreview/v2_invitation.json"), _levels),
    _json("hotcrp-rqc", _fixture("hotcrp/rqc.json"), HOTCRP),
    _json("hotcrp-reviews-json", _fixture("hotcrp/api-reviews.json")["reviews"], HOTCRP),
    _json(
        "pretalx-api",
        PRETALX,
        _reviews("scores", "results", lambda document: [{"category": "Quality"}], **PRETALX_KEYS),
        score_fields=("Quality",),
    ),
    _json(
        "indico-abstracts",
        INDICO,
        _reviews("ratings", "reviews", _merit, **INDICO_KEYS),
        score_fields=("Merit",),
    ),
    Target("hotcrp-forms", ".txt", _forms),
    Target("hotcrp-ranking", ".txt", _ranking, *_RANKER),
)
