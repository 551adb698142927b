"""Bulk assignments for HotCRP: tags, decisions and rankings."""

from __future__ import annotations

import csv
import io
import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.systems.hotcrp.hotcrp_files import ANA, JEAN, WEI
from unround.errors import UsageError
from unround.formats.model import ExportOptions
from unround.formats.systems import hotcrp
from unround.formats.systems.hotcrp.writers import rank_assignments
from unround.wording import STATISTICS

# The parsers of the bulk assignment, as FORMATS 1.6 gives them.
VALUE = re.compile(r"\A[-+]?(?:\.\d+|\d+|\d+\.\d*)\Z", re.ASCII)
TAG = re.compile(r"\A(|~~|[^-~+#]*~)([a-zA-Z@*_:.][-+a-zA-Z0-9?!@*_:./]*)\Z", re.ASCII)
CUTS_A_TAG = re.compile(r"[\s,;\"()\[\]{}]")
LARGEST, LONGEST = 2147483646, 80


def run_of(
    scores: list[tuple[str, int, float]], **columns: list[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables of a finished run."""
    table = pl.DataFrame(scores, schema=["reviewer", "paper", "dequantized"], orient="row")
    table = table.with_columns(pl.Series(name, values) for name, values in columns.items())
    value = pl.col("dequantized")
    papers = table.group_by("paper", maintain_order=True).agg(
        dequantized_min=value.min(),
        dequantized_max=value.max(),
        dequantized_mean=value.mean(),
        dequantized_median=value.median(),
        dequantized_spread=value.max() - value.min(),
    )
    return table, papers


def exported(run: tuple[pl.DataFrame, pl.DataFrame], **options: object) -> str:
    return hotcrp.assignments(*run, ExportOptions(**options))


def lines_of(text: str) -> list[list[str]]:
    """The lines below the header, and below the one that clears earlier tags."""
    header, *rows = csv.reader(io.StringIO(text))
    assert header[:4] == ["paper", "action", "tag", "tag_value"]
    return [row for row in rows if row[1] != "cleartag"]


def assert_hotcrp_takes(text: str) -> None:
    """Every line against the system's own rules."""
    for paper, action, tag, value in lines_of(text):
        assert re.fullmatch("[1-9][0-9]*", paper)
        assert action == "tag"
        assert TAG.match(tag)
        assert not CUTS_A_TAG.search(tag)
        assert len(tag.rpartition("~")[2]) <= LONGEST
        assert VALUE.match(value)
        assert abs(float(value)) <= LARGEST
        assert len(value.partition(".")[2]) <= 4


def test_assignments_of_papers() -> None:
    text = exported(run_of([(ANA, 1, 3.25), (WEI, 1, 4.000_000_4), (ANA, 10, 2.0)]))
    assert text == (
        "paper,action,tag,tag_value\nall,cleartag,~~dq_min ~~dq_max ~~dq_mean ~~dq_median "
        "~~dq_spread,\n1,tag,~~dq_min,3.25\n1,tag,~~dq_max,4\n1,tag,~~dq_mean,3.625\n"
        "1,tag,~~dq_median,3.625\n1,tag,~~dq_spread,0.75\n10,tag,~~dq_min,2\n10,tag,~~dq_max,2\n"
        "10,tag,~~dq_mean,2\n10,tag,~~dq_median,2\n10,tag,~~dq_spread,0\n"
    )
    assert_hotcrp_takes(text)


def test_reviews_are_named_by_their_letters() -> None:
    rows = [(ANA, 1, 3.5), ("anonymous 1B", 1, 3.25), (JEAN, 12, 4.0)]
    run = run_of(rows, review=["1A", "1B", "12AA"])
    text = exported(run, tag="new", per_review=True, include=())
    assert_hotcrp_takes(text)
    assert [row[2:] for row in lines_of(text)] == [
        *(["~~new_A", "3.5"], ["~~new_B", "3.25"], ["~~new_AA", "4"])
    ]
    for without in (run_of(rows), run_of(rows, review=["1A", "1r23", "12A"])):
        with pytest.raises(UsageError, match="has no letter such as 1A"):
            exported(without, per_review=True)


def test_places_decisions_and_tags() -> None:
    scores, papers = run_of([(ANA, 1, 3.0), (ANA, 2, 4.0), (ANA, 3, 1.0)])
    marks = papers.with_columns(
        place=pl.Series([2, 1, None]),
        decision=pl.Series(["Accept", "", None]),
        tags=pl.Series(["talk", "demo talk", None]),
    )
    text = exported((scores, marks), include=("places", "decisions", "tags"))
    assert text == (
        "paper,action,tag,tag_value,decision\nall,cleartag,~~dq_place,,\n"
        "1,tag,~~dq_place,2,\n2,tag,~~dq_place,1,\nall,cleartag,~~dq_tag_*,,\n"
        "1,tag,~~dq_tag_talk,0,\n2,tag,~~dq_tag_demo,0,\n2,tag,~~dq_tag_talk,0,\n"
        "1,decision,,,Accept\n"
    )
    assert exported((scores, marks), include=("decisions",)) == (
        "paper,action,tag,tag_value,decision\n1,decision,,,Accept\n"
    )
    with pytest.raises(UsageError, match="no paper has a decision yet"):
        exported((scores, papers), include=("decisions",))


def test_only_what_is_written_is_cleared() -> None:
    scores, papers = run_of([(ANA, 1, 3.0)], review=["1A"])
    papers = papers.with_columns(place=pl.Series([1]), tags=pl.Series(["talk"]))

    def cleared(**options: object) -> set[str]:
        rows = csv.reader(io.StringIO(exported((scores, papers), **options)))
        return {tag for row in rows if row[1] == "cleartag" for tag in row[2].split()}

    parts = {
        "scores": cleared(),
        "places": cleared(include=("places",)),
        "tags": cleared(include=("tags",)),
        "reviews": cleared(include=(), per_review=True),
    }
    assert parts["scores"] == {f"~~dq_{name}" for name in STATISTICS}
    assert parts["places"] == {"~~dq_place"}
    assert parts["tags"] == {"~~dq_tag_*"}
    assert {"~~dq_A", "~~dq_B", "~~dq_Z"} < parts["reviews"]
    assert len(set.union(*parts.values())) == sum(map(len, parts.values()))


def owners(people: list[tuple[str, str]]) -> list[str]:
    """The owners of tags for reviewers and their e-mails."""
    table = pl.DataFrame(people, schema=["reviewer", "reviewer_email"], orient="row")
    text = rank_assignments(table.with_columns(paper=pl.lit("1"), rank=pl.lit(1)))
    assert_hotcrp_takes(text)
    return [row[2].removesuffix("~rank") for row in lines_of(text)]


def test_rankings_address_people_by_emails_as_hotcrp_parses_them_or_name_who_has_none() -> None:
    """Its search takes * for any text, and an e-mail with a * as a whole (contactsearch.php)."""
    emails = ["ann@example.org", "ann@cs.example.org", "j-l+pc@max-planck.example"]
    patterns = owners([("Ann", emails[0]), (emails[1], ""), ("Jean-Luc", emails[2])])
    assert patterns == ["ann@example.org*", "ann@cs.example.org*", "j*l*pc@max*planck.example"]
    for pattern, email in zip(patterns, emails, strict=True):
        search = re.compile(re.escape(pattern).replace(r"\*", ".*"), re.IGNORECASE)
        assert [one for one in emails if search.fullmatch(one)] == [email]
    with pytest.raises(UsageError, match="those of Jane Doe, John Doe are not known"):
        owners([("John Doe", ""), (ANA, ""), ("Jane Doe", "")])


@pytest.mark.parametrize(
    "tag", ["", "1dq", "dq mean", "~dq", "dq#1", "dq*", "a" * 78, "all", "d,q"]
)
def test_tags_that_hotcrp_lacks_are_refused(tag: str) -> None:
    with pytest.raises(UsageError, match="cannot be a HotCRP tag"):
        exported(run_of([(ANA, 1, 3.0)]), tag=tag)


@pytest.mark.parametrize("paper", ["all", "0", "-1", "1 OR 2", "07", ""])
def test_papers_that_would_be_searches_are_refused(paper: str) -> None:
    scores, papers = run_of([(ANA, 1, 3.0)])
    with pytest.raises(UsageError, match=r"is not a HotCRP paper"):
        exported((scores, papers.with_columns(paper=pl.lit(paper))))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e9, None])
def test_values_that_a_tag_cannot_hold_are_refused(value: float | None) -> None:
    scores, papers = run_of([(ANA, 1, 3.0)])
    broken = papers.with_columns(dequantized_mean=pl.lit(value, dtype=pl.Float64))
    with pytest.raises(UsageError, match=r"paper 1: .* cannot be the value of a HotCRP tag"):
        exported((scores, broken))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([ANA, WEI, "ann@example.org"]),
            st.integers(1, 10**6),
            st.floats(-LARGEST / 2, LARGEST / 2),
        ),
        min_size=1,
    )
)
def test_every_number_is_a_plain_decimal(rows: list[tuple[str, int, float]]) -> None:
    reviews = [f"{paper}A" for _, paper, _ in rows]
    text = exported(run_of(rows, review=reviews), per_review=True)
    assert_hotcrp_takes(text)
    written = [float(row[3]) for row in lines_of(text)[-len(rows) :]]
    assert written == pytest.approx([value for _, _, value in rows], abs=6e-5)
