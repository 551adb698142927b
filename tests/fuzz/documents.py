"""Targets whose files are JSON documents or texts of a kind of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.mutations import changed_json, damaged_at_times
from tests.fuzz.plain import Differs, check_count, holds, objects_in, same_number
from tests.fuzz.target import KNOWN, REVIEWS, Made, Target
from unround.formats.model import FileContent, Options

Claim = Mapping[str, object]  # values, each by the key under which it stands
Claims = Callable[[FileContent], Iterator[Claim]]
Fits = Callable[[Mapping[str, Any]], bool]
FIXTURES = Path(__file__).parents[1] / "formats" / "fixtures"


def _fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text("utf-8"))


VENUE = "example.org/2026"
NOTES = [
    {
        "id": f"n{number}",
        "forum": f"f{paper}",
        "replyto": f"f{paper}",
        "version": 2,
        "tmdate": 1000 + number,
        "invitations": [f"{VENUE}/Submission{paper}/-/Official_Review"],
        "signatures": [f"{VENUE}/Submission{paper}/Reviewer_{letter}"],
        "content": {"rating": {"value": score}, "confidence": {"value": 3}},
    }
    for number, (_, _, letter, paper, score) in enumerate(REVIEWS)
]
PRETALX = {
    "count": len(REVIEWS),
    "results": [
        {
            "id": number,
            "submission": {"code": f"P{paper}", "state": "submitted", "title": "x", "track": None},
            "user": {"name": name, "email": email},
            "scores": [{"value": score, "category": {"name": {"en": "Merit"}, "active": True}}],
        }
        for number, (name, email, _, paper, score) in enumerate(REVIEWS)
    ],
}
INDICO = _fixture("indico/abstracts.json")
INDICO["abstracts"] = INDICO["abstracts"][:3]
_FORM = """==+== Begin Review #{paper}{letter}
==+== Reviewer: {name} <{email}>

==+== Paper #{paper}
==-== Title: On {paper}

==+== Review Readiness
==-== Enter "Ready" if the review is ready for others to see:

Ready

==*== Overall merit
==-== Choices:
==-==    1. Reject
==-==    2. Weak reject
==-==    3. Weak accept
==-==    4. Accept
==-==    5. Strong accept
==-== Enter your choice:

{score}. Label

==*== Comments for authors

4
lines

==+== End Review
"""


def _json(
    name: str, document: Any, claims: Claims, is_record: Fits | None = None, **options: Any
) -> Target:
    """Return a target of JSON: what it claims must stand in one object, and every record be told."""

    def made(random: Random) -> Made:
        changed = changed_json(deepcopy(document), random)
        data = damaged_at_times(_as_bytes(changed, random), random)

        def checked(content: FileContent) -> None:
            objects = objects_in(_parsed(data))
            for claim in claims(content):
                if not any(holds(one, claim) for one in objects):
                    raise Differs(f"no object of the file has {claim}")
            if is_record is not None and content.reviews is not None:
                check_count(sum(map(is_record, objects)), content.reviews.table.height, content)

        return data, checked

    return Target(name, ".json", made, Options(**options))


def _reviews(**keys: str) -> Claims:
    """Claim these columns of every review, by the keys under which their values stand."""

    def claims(content: FileContent) -> Iterator[Claim]:
        for row in content.reviews.table.iter_rows(named=True) if content.reviews else ():
            yield {key: row[name] for name, key in keys.items() if row.get(name)}

    return claims


def _ranks(content: FileContent) -> Iterator[Claim]:
    for paper, rank in content.ranks.table.select("paper", "rank").rows() if content.ranks else ():
        yield {"forum": paper, "label": f"{rank} of"}


def _members(content: FileContent) -> Iterator[Claim]:
    for group, person in content.members.items():
        yield {"id": group, "members": person}


def _levels(content: FileContent) -> Iterator[Claim]:
    for level in content.scale.levels if content.scale is not None else ():
        yield {"enum": level}


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
        return _whole(json.loads(text))
    except ValueError:
        return [_whole(json.loads(line)) for line in text.splitlines() if line.strip()]


def _whole(value: Any) -> Any:
    """Replace halves of characters, which JSON can spell but no text may hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(inner) for inner in value]
    return (
        {_whole(key): _whole(inner) for key, inner in value.items()}
        if isinstance(value, dict)
        else value
    )


def _is_review(note: Mapping[str, Any]) -> bool:
    named = [note.get("invitations"), note.get("invitation")]
    listed = [one for name in named for one in (name if isinstance(name, list) else [name])]
    return any(isinstance(one, str) and one.rstrip().endswith("/Official_Review") for one in listed)


def _forms(random: Random) -> Made:
    keys = ("name", "email", "letter", "paper", "score")
    forms = [_FORM.format(**dict(zip(keys, review, strict=True))) for review in REVIEWS]
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(forms))
        lines = forms[at].split("\n")
        line = random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0:
            del lines[line]
        elif kind == 1:
            lines.insert(line, lines[random.randrange(len(lines))])
        elif kind == 2:
            lines[line] = random.choice(
                ("No entry", "7. Odd", "B", "", "(Your choice here)", "3.5")
            )
        else:
            lines[line] = lines[line].replace("==", "=", 1)
        forms[at] = "\n".join(lines)
    if random.random() < 0.2:
        forms.append(forms[random.randrange(len(forms))])
    end = random.choice(("\n", "\r\n"))
    text = "".join(forms).replace("\n", end)
    data = damaged_at_times(text.encode(random.choice(("utf-8", "utf-8-sig"))), random)
    return data, lambda content: _forms_in(content, data)


def _forms_in(content: FileContent, data: bytes) -> None:
    if content.reviews is None:
        return
    lines = re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace"))
    begins = [
        number
        for number, line in enumerate(lines, 1)
        if re.match(r"\ufeff?==\+==\s?Begin Review", line)
    ]
    for row, values in enumerate(content.reviews.table.iter_rows(named=True)):
        line = int(content.reviews.place(row).rpartition(" ")[2])
        end = next((other for other in begins if other > line), len(lines) + 1)
        block = lines[line - 1 : end - 1]
        if not any(str(values["paper"]) in text for text in block):
            raise Differs(f"the form on line {line} is not about paper {values['paper']}")
        if not any(same_number(text, values["score"]) for text in block):
            raise Differs(f"the form on line {line} has no score {values['score']}")
    check_count(len(begins), content.reviews.table.height, content)


def _ranking(random: Random) -> Made:
    lines = [
        "action,paper,title",
        "tag,~rank",
        "",
        "# a comment",
        ",8,A",
        ",5,B",
        "=,1,C",
        ">>,4,D",
        "X,6,E",
    ]
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(lines))
        kind = random.randrange(4)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, random.choice(lines))
        elif kind == 2:
            lines[at] = random.choice(
                (">,8,A", "2.5,3,B", "=,9,Z", "x,8,A", "7", ",,", "tag,other", "Tag: ~rank")
            )
        else:
            lines[at] = lines[at].replace(",", random.choice((", ", "\t", ";")))
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
    read = dict(content.ranks.table.select("paper", "rank").iter_rows())
    if ranked is not None and {paper: float(rank) for paper, rank in read.items()} != ranked:
        raise Differs(f"read {read}, in the file {ranked}")


def _plain_ranks(lines: list[str]) -> dict[str, float] | None:
    """Follow the lines by HotCRP's rules; None where they are not the simple ones."""
    value, ranks = 0.0, dict[str, float]()
    if sum(line.lower().startswith("tag") for line in lines) > 1:
        return None
    for line in lines:
        cells = [cell.strip() for cell in re.split(r"[,\t]", line)]
        if not line.strip() or line.startswith("#") or cells[:2] == ["action", "paper"]:
            continue
        if cells[0].lower().startswith("tag"):
            if value or ranks:
                return None
            continue
        if len(cells) < 2 or not cells[1].isdecimal() or ";" in line:
            return None
        mark, paper = cells[0], cells[1]
        if mark in ("X", "x"):
            ranks.pop(paper, None)
            continue
        if not mark.strip(">"):
            value += max(len(mark), 1)
        elif mark != "=":
            try:
                value = float(mark)
            except ValueError:
                return None
        ranks[paper] = value
    return ranks


HOTCRP = _reviews(paper="pid", score="OveMer")
_RANKER = Options(known_reviewers=KNOWN, ranker="ann@example.org")
TARGETS: tuple[Target, ...] = (
    _json("openreview-notes", NOTES, _reviews(review="id", score="rating"), _is_review),
    _json("openreview-tags", _fixture("openreview/v2_tags.json"), _ranks),
    _json("openreview-groups", _fixture("openreview/v2_groups.json"), _members),
    _json("openreview-form", _fixture("openreview/v2_invitation.json"), _levels),
    _json("hotcrp-rqc", _fixture("hotcrp/rqc.json"), HOTCRP),
    _json("hotcrp-reviews-json", _fixture("hotcrp/api-reviews.json")["reviews"], HOTCRP),
    _json("pretalx-api", PRETALX, _reviews(paper="code", score="value")),
    _json(
        "indico-abstracts",
        INDICO,
        _reviews(paper="friendly_id", score="value"),
        score_fields=("Merit",),
    ),
    Target("hotcrp-forms", ".txt", _forms),
    Target("hotcrp-ranking", ".txt", _ranking, _RANKER),
)
