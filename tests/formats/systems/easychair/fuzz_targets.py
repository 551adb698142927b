"""Near-valid files of EasyChair; `tests/fuzz` finds such a module in the tests of every system."""

from __future__ import annotations

from tests.fuzz.plain import Differs, Records
from tests.fuzz.tables import delimited, reviews_in, rows_of
from tests.fuzz.target import KNOWN, Target
from unround.formats.model import FileContent

EASYCHAIR_HEADER = (
    "#,submission #,member #,member name,number,version,text,scores,total score,reviewer email,date"
)
EASYCHAIR = rows_of(
    EASYCHAIR_HEADER,
    lambda r: (
        *(
            1,
            r[3],
            ord(r[2]),
            r[0],
            ord(r[2]),
            1,
            "Good",
            f"Overall evaluation: {r[4]}\nConfidence: 3",
        ),
        *(r[4], "", "2026-01-15"),
    ),
)
COMMITTEE = [
    ["#", "person #", "first name", "last name", "email", "role"],
    *(
        [str(n), str(70 + n), p["reviewer_name"], "", p["reviewer"], "chair"]
        for n, p in enumerate(KNOWN, 1)
    ),
]


def members_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check that every e-mail stands in a record with its number."""
    for key, email in content.members.items():
        number = key.removeprefix("EasyChair member ").removeprefix("EasyChair person ")
        if not any(number in cells and email in cells for cells in records.values()):
            raise Differs(f"no record has {key} and {email}")


TARGETS: tuple[Target, ...] = (
    delimited("easychair-reviews", EASYCHAIR, reviews_in),
    delimited("easychair-committee", COMMITTEE, members_in),
)
