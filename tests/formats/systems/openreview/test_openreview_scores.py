"""Scores, papers and people of OpenReview's reviews."""

from __future__ import annotations

from pathlib import Path

import pytest

import unround
from tests.formats.given_files import refused
from tests.formats.systems.openreview.openreview_made import (
    ANN,
    FIXTURES,
    VENUE,
    imported,
    review,
    saved,
    scores,
)
from unround.formats.importer import import_files
from unround.formats.systems.openreview.records import level_text


def read(*names: str) -> unround.Tables:
    return import_files([FIXTURES / name for name in names])


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (6, "6"),
        (3.5, "3.5"),
        (6.0, "6"),
        (0, "0"),
        ("6: marginally above the acceptance threshold", "6"),
        ("3 good", "3"),
        ("4.5 = Borderline Award", "4.5"),
        ("3.5 ", "3.5"),
        ("3.5: x", "3.5"),
        ("10", "10"),
        ("-2: strong reject", "-2"),
        ("\N{MINUS SIGN}2: strong reject", "-2"),
        ("+1", "+1"),
        ({"value": "8: Accept", "readers": ["x"]}, "8"),
        ({"value": ["8: Accept"]}, "8"),
        ("Accept", "Accept"),
        ("50% or more", "50% or more"),
        ("1st", "1st"),
        ("3,5: comma", "3.5"),
        ("", None),
        (None, None),
        ({"value": None}, None),
        ("N/A", None),
        ("No entry", None),
        ("undefined", None),
        ("Not applicable", None),
    ],
)
def test_ratings_of_every_form(value: object, score: str | None) -> None:
    assert level_text(value) == score


def test_half_points_and_their_scale() -> None:
    found = read("v2_arr.json", "v2_invitation_arr.json")
    assert scores(found) == [3.5, 4.5, 3.5, 2.0]
    assert found.scale == unround.Scale([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5])
    assert found.reviews["confidence"].to_list() == ["3", "2", None, None]
    unround.dequantize(found.reviews, scale=found.scale, lam=1.0)


def test_a_choice_without_a_value_makes_the_scale_unclear(tmp_path: Path) -> None:
    form = tmp_path / "form.json"
    text = (FIXTURES / "v2_invitation.json").read_text("utf-8")
    form.write_text(text.replace('"value": 10', '"valuee": 10'), "utf-8")
    found = import_files([FIXTURES / "v2_reviews.jsonl", form])
    assert found.scale is None
    assert "the levels of 'rating' are words whose order is not clear" in " ".join(found.notes)


def test_words_need_the_order_that_the_form_states() -> None:
    found = read("v2_words.json", "v2_invitation_words.json")
    assert scores(found) == ["Accept", "Clear accept", "Weak reject", "Clear reject"]
    assert found.scale.levels[0] == "Clear reject"
    result = unround.dequantize(found.reviews, scale=found.scale, lam=1.0)
    assert result.papers["score_max"].to_list() == [5.0, 2.0]
    alone = read("v2_words.json")
    assert any("4 scores in words such as 'Accept'" in note for note in alone.notes)
    with pytest.raises(unround.InputRefused, match=r"text such as 'Accept'.*worst to best"):
        unround.dequantize(alone.reviews, scale=alone.scale)


class TestFields:
    def test_the_first_usual_name_with_a_value_wins_and_others_are_named(
        self, tmp_path: Path
    ) -> None:
        found = imported(
            tmp_path,
            review("a", {"final_rating": "", "preliminary_rating": 4}),
            review("b", {"final_rating": 2, "preliminary_rating": 5}, 2),
        )
        assert scores(found) == [4, 2]
        assert found.notes[0] == (
            "notes.json: scores come from several fields: 1 from 'preliminary_rating', 1 from 'final_rating'"
        )
        assert found.notes[1] == (
            "notes.json: 1 review with 'preliminary_rating' too, which was not used: "
            "take it with --field preliminary_rating"
        )

    def test_the_users_fields_come_first(self, tmp_path: Path) -> None:
        notes = (
            review("a", {"rating": 1, "soundness": "3 good"}),
            review("b", {"rating": 1, "soundness": "N/A", "excitement": 4.5}, 2),
        )
        found = imported(tmp_path, *notes, score_fields=("soundness", "excitement"))
        assert scores(found) == [3.0, 4.5]

    @pytest.mark.parametrize("name", ["Overall Assessment", "Overall_Recommendation", "Rating"])
    def test_spelling_of_usual_names_does_not_matter(self, tmp_path: Path, name: str) -> None:
        assert scores(imported(tmp_path, review("a", {name: 4}))) == [4]

    def test_no_usual_field_names_what_was_found(self, tmp_path: Path) -> None:
        note = review("a", {"summary": "x", "merit": 4})
        with refused(
            r"notes\.json: no review has a score in the field rating or recommendation .*; "
            r"found: summary, merit\. Name the field with --field NAME"
        ):
            imported(tmp_path, note)
        assert scores(imported(tmp_path, note, score_fields=("merit",))) == [4]
        text = review("a", {"recommendation": "I like it. " * 30})
        with refused(r"notes\.json, note a: 'recommendation' is a text"):
            imported(tmp_path, text)


class TestPapers:
    def test_forum_ids_where_a_number_is_missing(self, tmp_path: Path) -> None:
        unknown = {"signatures": ["~B1"], "invitations": ["x/-/Official_Review"]}
        notes = review("a", {"rating": 4}, 1), review("b", {"rating": 5}, 2, **unknown)
        found = imported(tmp_path, *notes)
        assert found.reviews["paper"].to_list() == ["forum1", "forum2"]
        assert "papers go by their forum id" in found.notes[0]

    def test_forum_ids_where_two_venues_or_files_share_numbers(self, tmp_path: Path) -> None:
        one = review("a", {"rating": 4})
        two = review("b", {"rating": 5}, 1, forum="elsewhere", signatures=["y/Paper1/R_b"])
        found = imported(tmp_path, one, two)
        assert found.reviews["paper"].to_list() == ["forum1", "elsewhere"]
        files = [saved(tmp_path, [note], f"{note['id']}.json") for note in (one, two)]
        assert import_files(files).reviews["paper"].to_list() == ["1", "elsewhere"]

    def test_the_reviews_own_number_and_title_are_not_the_papers(self, tmp_path: Path) -> None:
        found = imported(tmp_path, review("a", {"rating": 4, "title": "Nice"}, 7, number=3)).reviews
        assert found["paper"].to_list() == [7]
        assert "title" not in found.columns


class TestPeople:
    def test_open_identities_need_no_groups(self, tmp_path: Path) -> None:
        found = imported(
            tmp_path,
            review("a", {"rating": 4}, signatures=[ANN]),
            review("b", {"rating": 5}, 2, signatures=["bo+tc-26@example.org"]),
        )
        assert found.reviews["reviewer"].to_list() == [ANN, "bo+tc-26@example.org"]
        assert found.notes == ()

    def test_groups_that_do_not_say_who_signed_are_refused(self, tmp_path: Path) -> None:
        with refused(
            rf"v2_submissions\.json: signatures of which no given group says who they are: "
            rf"{VENUE}/Submission1/Reviewer_Mxcd, .*/Submission10/Reviewer_Pp00; save the groups"
        ):
            read("v2_submissions.json", "v1_groups.json")
        with refused(r"last part only, such as 'Reviewer_Mxcd'"):
            read("v2_submissions.json", "members_by_suffix.json")
        path = saved(tmp_path, [{"id": f"{VENUE}/Submission1/Reviewer_a", "members": []}])
        with refused("with a chair's account"):
            import_files([FIXTURES / "v2_reviews.jsonl", path])
