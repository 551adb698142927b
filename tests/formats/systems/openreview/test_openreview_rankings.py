"""Paper_Ranking tags of both API versions, and the scales that review forms state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unround
from tests.formats.given_files import refused, written
from tests.formats.systems.openreview.openreview_made import ANN, FIXTURES, VENUE, saved, tag
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import Context, FileContent, Options
from unround.formats.systems.openreview.score_field import read_form

NOTES, GROUPS = FIXTURES / "v2_submissions.json", FIXTURES / "v2_groups.json"


def ranked(path: Path, *others: Path, **options: Any) -> unround.Tables:
    return import_files([NOTES, *(others or (GROUPS,))], [path], Options(**options))


class TestTags:
    def test_without_groups_reviews_and_ranks_stay_with_their_signatures(self) -> None:
        found = import_files([NOTES], [FIXTURES / "v2_tags.json"])
        assert found.reviews["reviewer"].n_unique() == 6
        assert found.reviews["reviewer"][0] == f"{VENUE}/Submission1/Reviewer_Mxcd"
        assert found.rankings[0]["reviewer"].n_unique() == 5
        assert sum("rankings across papers have no effect" in note for note in found.notes) == 1

    def test_papers_follow_the_ids_of_the_reviews(self, tmp_path: Path) -> None:
        reviews = f"forum,reviewer,score\nWqRst4uvX1,{ANN},5\nbb10forum0,{ANN},6\n"
        table = written(tmp_path, "reviews.csv", reviews)
        found = import_files([table, GROUPS], [FIXTURES / "v2_tags.json"])
        assert found.rankings[0]["paper"].to_list()[:2] == ["WqRst4uvX1", "aQ2_-bC9zz"]

    @pytest.mark.parametrize("text", ["6 of 5", "0 of 5", "first", "2/5", "2.5 of 5"])
    def test_anything_else_is_refused_with_its_place(self, tmp_path: Path, text: str) -> None:
        path = saved(tmp_path, [tag(text)], "tags.json")
        with refused(rf"tags\.json, tag t1: '{text}' is no rank"):
            ranked(path)

    def test_all_unranked_is_an_empty_ranking(self, tmp_path: Path) -> None:
        path = saved(tmp_path, [tag("No Ranking")], "tags.json")
        with refused(r"no rank was read from it: .*1 paper left unranked"):
            ranked(path)
        found = import_files([NOTES, GROUPS, path])
        assert found.rankings[0].height == 0
        unround.dequantize(found.reviews, found.rankings[0], scale=[1, 3, 5, 6, 8, 10], lam=1.0)

    def test_an_unknown_signature_is_named(self, tmp_path: Path) -> None:
        unknown = tag("1 of 2", signature=f"{VENUE}/Submission1/Reviewer_none")
        with refused(r"of which no given group says who they are: .*Reviewer_none"):
            ranked(saved(tmp_path, [unknown], "tags.json"))

    def test_another_invitation_can_be_named(self, tmp_path: Path) -> None:
        other = tag("1 of 2", invitation=f"{VENUE}/Reviewers/-/My_Order")
        path = saved(tmp_path, [other], "tags.json")
        with refused(r"\.\./-/Paper_Ranking; found: .*/My_Order"):
            ranked(path)
        assert ranked(path, columns={"rank": "My_Order"}).rankings[0].height == 1

    @pytest.mark.parametrize("gone", ["signature", "forum"])
    def test_a_tag_that_lacks_something_is_refused(self, tmp_path: Path, gone: str) -> None:
        path = saved(tmp_path, [tag("1 of 2", id="t0"), tag("1 of 2", **{gone: None})], "tags.json")
        with refused(rf"tags\.json, tag t1 has no {gone}"):
            ranked(path)


def field(**param: Any) -> dict[str, Any]:
    return {"value": {"param": param}}


class TestForm:
    def read(self, folder: Path, content: dict[str, Any], **options: Any) -> FileContent:
        invitation = {
            "id": f"{VENUE}/-/Official_Review",
            "edit": {"invitation": {"edit": {"note": {"content": content}}}},
        }
        return read_form(
            Source(saved(folder, invitation, "form.json")), Options(**options), Context()
        )

    @pytest.mark.parametrize(
        ("rating", "levels"),
        [
            (field(enum=[10, 8, 6, 5, 3, 1]), [1, 3, 5, 6, 8, 10]),
            (field(enum=["3: good", "2: fair", "1: bad", "N/A"]), [1, 2, 3]),
            (field(enum=[{"value": 2.5, "description": "2.5"}, {"value": 1}]), [1, 2.5]),
            (field(enum=["A", "B", "C"]), ["C", "B", "A"]),
            (field(enum=["Reject", "Borderline", "Accept"]), ["Reject", "Borderline", "Accept"]),
            (field(enum=["Strong accept", "Fine", "Reject"]), ["Reject", "Fine", "Strong accept"]),
            (field(type="integer", minimum=0, maximum=4), [0, 1, 2, 3, 4]),
        ],
    )
    def test_levels_in_order(self, tmp_path: Path, rating: object, levels: list[Any]) -> None:
        assert self.read(tmp_path, {"rating": rating}).scale == unround.Scale(levels)

    @pytest.mark.parametrize("choices", [["Good", "Fair", "Poor"], ["Yes", "3: good"], ["A", "b"]])
    def test_words_of_unclear_order_give_no_scale(self, tmp_path: Path, choices: list[str]) -> None:
        part = self.read(tmp_path, {"rating": field(enum=choices)})
        assert part.scale is None
        assert "give them with --scale, worst first" in part.notes[0]

    def test_the_users_field(self, tmp_path: Path) -> None:
        content = {"rating": field(enum=[1, 2]), "soundness": field(enum=[1, 2, 3])}
        part = self.read(tmp_path, content, score_fields=("soundness",))
        assert part.scale == unround.Scale([1, 2, 3])
        assert part.recognised == "OpenReview review form, 'soundness': 1, 2, 3"
        with refused(r"form\.json: .* no levels .*; found: title, merit"):
            self.read(tmp_path, {"title": field(type="string"), "merit": field(enum=[1, 2])})

    def test_the_review_invitation_among_many(self, tmp_path: Path) -> None:
        def invitation(name: str, levels: list[int]) -> dict[str, Any]:
            note = {"note": {"content": {"rating": field(enum=levels)}}}
            return {"id": f"{VENUE}/Submission1/-/{name}", "edit": note}

        many = [invitation("Meta_Review", [1, 2]), invitation("Official_Review", [1, 2, 3])]
        path = saved(tmp_path, {"invitations": many, "count": 2}, "form.json")
        assert read_form(Source(path), Options(), Context()).scale == unround.Scale([1, 2, 3])

    def test_the_content_of_a_form_alone(self) -> None:
        part = read_form(Source(FIXTURES / "v2_form_content.json"), Options(), Context())
        assert part.scale == unround.Scale([1, 3, 5, 6, 8, 10])

    def test_an_invitation_without_a_form(self, tmp_path: Path) -> None:
        path = saved(tmp_path, [{"id": f"{VENUE}/-/Edit", "edit": True, "invitees": []}])
        with refused(r"no review form: .*Official_Review, found: .*Edit"):
            read_form(Source(path), Options(), Context())
