"""Notes, tags and groups that occur more than once: the newest copy counts, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.given_files import refused
from tests.formats.systems.openreview.openreview_made import (
    VENUE,
    imported,
    review,
    saved,
    scores,
    submission,
    tag,
)
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused
from unround.formats.newest import Copies


def versions(*copies: tuple[float, dict[str, Any]]) -> list[dict[str, Any]]:
    """One review in several copies, each a rating and its stamps."""
    return [review("a", {"rating": rating}, **stamps) for rating, stamps in copies]


@pytest.mark.parametrize("stamp", ["mdate", "tmdate", "version"])
@pytest.mark.parametrize("order", [1, -1])
def test_the_newest_copy_counts_wherever_it_stands(tmp_path: Path, stamp: str, order: int) -> None:
    notes = versions((4, {stamp: 1}), (5, {stamp: 2}), (8, {stamp: 3}))[::order]
    found = imported(tmp_path, *notes, review("b", {"rating": 3}, 2))
    assert scores(found) == [8, 3]
    assert found.notes[0] == (
        "notes.json: 1 review occurs more than once, 2 copies left out: 1 of them with copies "
        "that differ in the score; the newest copy counts"
    )


@pytest.mark.parametrize(
    "copies",
    [
        [(4, {}), (6, {})],
        [(4, {"version": 1}), (6, {})],
        [(4, {"version": 2}), (6, {"version": 2})],
        [(4, {"version": 1, "tmdate": 9}), (6, {"version": 2, "tmdate": 8})],
        [(4, {"mdate": "yesterday"}), (6, {"mdate": True})],
    ],
)
def test_copies_that_cannot_be_ordered_are_refused_by_name(
    tmp_path: Path, copies: Sequence[tuple[float, dict[str, Any]]]
) -> None:
    with refused(
        r"notes\.json: 1 review with copies that differ, .* say which is the newest: "
        r"4 in notes\.json, note a and 6 in notes\.json, note a\. Keep the copy that counts"
    ):
        imported(tmp_path, *versions(*copies))


def test_copies_that_agree_need_no_order(tmp_path: Path) -> None:
    found = imported(tmp_path, *versions((4, {}), (4, {"version": 3}), (4, {})))
    assert scores(found) == [4]
    assert found.notes[0] == (
        "notes.json: 1 review occurs more than once, 2 copies left out: the copies agree on "
        "the score"
    )


def test_a_note_deleted_or_restored_later(tmp_path: Path) -> None:
    gone = [review("a", {"rating": 4}, version=1), review("a", {"rating": 4}, version=2, ddate=7)]
    back = [review("b", {"rating": 5}, version=3), review("b", {"rating": 5}, version=2, ddate=7)]
    found = imported(tmp_path, *gone, *back)
    assert scores(found) == [5]
    assert "notes.json: 1 review that was deleted left out" in found.notes


def test_a_submission_restored_later_keeps_its_reviews(tmp_path: Path) -> None:
    deleted = {**submission(1), "version": 1, "ddate": 5}
    notes = [{**submission(1), "version": 2}, review("a", {"rating": 4})]
    assert scores(imported(tmp_path, deleted, *notes)) == [4]
    with refused("1 review of a deleted submission left out"):
        imported(tmp_path, {**deleted, "version": 3}, *notes)


def test_the_newest_decision_counts(tmp_path: Path) -> None:
    by = {"invitations": [f"{VENUE}/Submission1/-/Decision"]}
    new = review("d", {"decision": "Accept"}, version=2, **by)
    old = review("d", {"decision": "Reject"}, version=1, **by)
    found = imported(tmp_path, new, old, review("a", {"rating": 4}))
    assert found.papers["decision"].to_list() == ["Accept"]


def test_references_of_api_v1_are_copies_of_their_note(tmp_path: Path) -> None:
    notes = [
        {**review("r1", {"rating": 4}, tmdate=1), "referent": "a"},
        {**review("r2", {"rating": 7}, tmdate=2), "referent": "a"},
    ]
    assert scores(imported(tmp_path, *notes)) == [7]


def test_note_edits_are_refused_with_the_way_in(tmp_path: Path) -> None:
    note = {"id": "a", "forum": "f", "content": {"rating": {"value": 4}}}
    edit = {"id": "e1", "invitation": "x/-/Official_Review", "note": note, "tcdate": 1}
    with refused(r"note edits: .*Save these: .*get_all_notes"):
        imported(tmp_path, edit)


class TestDatedExports:
    """Where notes say no date of their own, the dates in the files' names decide."""

    def test_in_one_folder_as_among_files(self, tmp_path: Path) -> None:
        new = saved(tmp_path, versions((8, {})), "notes-2025-12-03.json")
        old = saved(tmp_path, versions((5, {})), "notes-2025-11-20.json")
        left = "1 review left out because another file has a newer copy or the same"
        for files, note in (
            ([tmp_path], "1 of them with copies that differ in the score; the newest copy counts"),
            ([new, old], f"{old.name}: {left}; the score of 1 differs"),
            ([old, new], f"{old.name}: {left}; the score of 1 differs"),
        ):
            found = import_files(files)
            assert scores(found) == [8]
            assert found.place("reviews", 0) == f"{new.name}, note a"
            assert any(one.endswith(note) for one in found.notes), files

    def test_dates_in_the_notes_decide_before_the_names(self, tmp_path: Path) -> None:
        new = saved(tmp_path, versions((8, {"tmdate": 1_000})), "notes-2025-12-03.json")
        old = saved(tmp_path, versions((5, {"tmdate": 2_000})), "notes-2025-11-20.json")
        assert scores(import_files([new, old])) == [5]

    def test_without_any_date_both_are_left_to_the_checks(self, tmp_path: Path) -> None:
        files = [saved(tmp_path, versions((score, {})), f"{score}.json") for score in (5, 8)]
        assert scores(import_files(files)) == [5, 8]


def test_the_newest_tag_counts(tmp_path: Path) -> None:
    where = {"forum": "forum1", "signature": f"{VENUE}/Submission1/Reviewer_aaaa"}
    notes = saved(tmp_path, [review("a", {"rating": 4})])
    tags = saved(
        tmp_path, [tag("1 of 3", **where, tmdate=1), tag("2 of 3", **where, tmdate=2)], "tags.json"
    )
    found = import_files([notes], [tags])
    assert found.rankings[0]["rank"].to_list() == [2]
    assert any("1 tag occurs more than once" in note for note in found.notes)
    tags = saved(tmp_path, [tag("1 of 3", **where), tag("2 of 3", **where)], "tags.json")
    with refused("1 tag with copies that differ"):
        import_files([notes], [tags])


def test_the_newest_group_counts(tmp_path: Path) -> None:
    anonymous = f"{VENUE}/Submission1/Reviewer_aaaa"
    notes = saved(tmp_path, [review("a", {"rating": 4})])
    groups = [
        {"id": anonymous, "members": ["~New1"], "tmdate": 2},
        {"id": anonymous, "members": ["~Old1"], "tmdate": 1},
    ]
    found = import_files([notes, saved(tmp_path, groups, "groups.json")])
    assert found.reviews["reviewer"].to_list() == ["~New1"]
    for group in groups:
        del group["tmdate"]
    with refused(r"1 group with copies .* ~New1 in .* and ~Old1 in"):
        import_files([notes, saved(tmp_path, groups, "groups.json")])


age = st.none() | st.integers(0, 4)
Drawn = tuple[int | None, int | None, int]


@given(st.lists(st.tuples(age, age, st.integers(0, 2)), min_size=2))
def test_a_choice_is_never_a_guess(drawn: list[Drawn]) -> None:
    """By one age the chosen copy is newer than every copy with another score; their order is no reason."""
    chosen: list[Drawn] = []
    for rows in (drawn, drawn[::-1]):
        copies = Copies[Drawn]()
        for one in rows:
            copies.add("a", {"tmdate": one[0], "version": one[1]}, "f.json", "", one, str(one[2]))
        try:
            chosen += copies.newest("f.json", "review")
        except ImportRefused:
            continue
    assert len({score for *_, score in chosen}) <= 1
    for *ages, score in chosen:
        others = [one for one in drawn if one[2] != score]
        assert any(all(_is_after(at, one[age]) for one in others) for age, at in enumerate(ages))


def _is_after(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one > other
