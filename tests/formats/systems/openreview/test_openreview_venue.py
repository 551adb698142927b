"""What a venue says of itself, its review form, and Paper_Ranking tags, in files and from the API alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import unround
from tests.formats.given_files import refused, written
from tests.formats.systems.openreview.openreview_made import (
    ANN,
    FIXTURES,
    VENUE,
    ZOE,
    imported,
    review,
    saved,
    scores,
    submission,
    tag,
)
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import Context, FileContent, Options
from unround.formats.systems.openreview.score_field import read_form

BOTH = {"rating": 2, "overall_recommendation": 5}


def venue_group(**settings: object) -> dict[str, Any]:
    """The venue's group with these settings."""
    content = {"submission_name": "Paper", **settings}
    values = {name: {"value": value} for name, value in content.items()}
    return {"id": VENUE, "members": [], "content": values}


def signed(*reviews: dict[str, Any]) -> list[dict[str, Any]]:
    """Reviews that people sign with their profiles."""
    return [{**one, "signatures": [ANN]} for one in reviews]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"venueid": f"{VENUE}/Withdrawn_Paper"}, "withdrawn"),
        ({"venueid": f"{VENUE}/Desk_Rejected_Paper"}, "desk-rejected"),
        ({"venueid": f"{VENUE}/Withdrawn_Demo_Proposal"}, "withdrawn"),
        ({"venue": "TC 2026 Conference Desk Rejected Submission"}, "desk-rejected"),
        ({"venueid": f"{VENUE}/Taken_Back"}, "withdrawn"),
        ({"venueid": f"{VENUE}/Paper"}, ""),
        ({"venueid": "example.org/Withdrawn_Papers/2026/Paper"}, ""),
    ],
)
def test_papers_that_are_out_whatever_submissions_are_called(
    fields: dict[str, str], why: str, tmp_path: Path
) -> None:
    notes = saved(
        tmp_path,
        [
            submission(1, *signed(review("r1", {"rating": 3}))),
            submission(2, *signed(review("r2", {"rating": 4}, 2)), **fields),
        ],
    )
    groups = saved(tmp_path, [venue_group(withdrawn_venue_id=f"{VENUE}/Taken_Back")], "groups.json")
    found = import_files([notes, groups])
    assert scores(found) == ([3] if why else [3, 4])
    assert any(f"1 {why} paper (2)" in note for note in found.notes) == bool(why)


@pytest.mark.parametrize("folder", [True, False])
@pytest.mark.parametrize(
    ("stated", "score"),
    [
        ("overall_recommendation", 5),
        (["overall_recommendation"], 5),
        (["soundness_score", "overall_recommendation"], 5),
        ([{"overall": ["final_rating", "overall_recommendation"]}, "soundness_score"], 5),
        ([], 2),
        (None, 2),
    ],
)
def test_the_rating_is_the_field_that_the_venue_states(
    stated: object, score: int, folder: bool, tmp_path: Path
) -> None:
    content = {**BOTH, "soundness_score": 1}
    notes = saved(tmp_path, [submission(1, *signed(review("r1", content)))])
    group = venue_group(**({} if stated is None else {"review_rating": stated}))
    groups = saved(tmp_path, [group], "groups.json")
    found = import_files([tmp_path] if folder else [notes, groups])
    assert scores(found) == [score]


def test_of_several_ratings_without_a_plain_name_the_user_is_asked(tmp_path: Path) -> None:
    notes = saved(tmp_path, [submission(1, *signed(review("r1", {"novelty": 1, "depth": 2})))])
    groups = saved(tmp_path, [venue_group(review_rating=["novelty", "depth"])], "groups.json")
    with refused("shows several ratings .* --field novelty or --field depth"):
        import_files([notes, groups])
    assert scores(import_files([notes, groups], options=Options(score_fields=("depth",)))) == [2]


def test_reviews_of_another_name_are_found_by_the_venue_or_suggested(tmp_path: Path) -> None:
    assessed = review("r1", {"rating": 3}, invitations=[f"{VENUE}/Paper1/-/Assessment"])
    meta = review("m1", {"rating": 3}, invitations=[f"{VENUE}/Paper1/-/Meta_Review"])
    meta["signatures"] = [f"{VENUE}/Paper1/Area_Chair_x"]
    notes = saved(tmp_path, [submission(1, *signed(assessed), meta)])
    words = (
        "No reply is 'Official_Review', but others have scores: --column review=Assessment reads"
    )
    with refused(words) as error:
        import_files([notes])
    assert "vars(note)" not in str(error.value)
    assert scores(import_files([notes], options=Options(columns={"review": "Assessment"}))) == [3]
    groups = saved(tmp_path, [venue_group(review_name="Assessment")], "groups.json")
    assert scores(import_files([notes, groups])) == [3]
    without = submission(1)
    del without["details"]
    with refused(r"vars\(note\)"):
        imported(tmp_path, without)


def test_groups_are_needed_only_for_signatures_that_are_ids(tmp_path: Path) -> None:
    profiles = saved(tmp_path, [submission(1, *signed(review("r1", {"rating": 3})))])
    hidden = [{"id": f"{VENUE}/Submission1/Reviewer_aaaa", "members": []}]
    groups = saved(tmp_path, [venue_group(), *hidden], "groups.json")
    assert scores(import_files([profiles, groups])) == [3]
    ids = saved(tmp_path, [submission(1, review("r1", {"rating": 3}))], "ids.json")
    with refused("no given group says who they are: .* with a chair's account"):
        import_files([ids, groups])


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

    def test_edges_name_papers_by_their_forums(self, tmp_path: Path) -> None:
        forums = ("aB3xK9", "ab3xk9", "Qw2_zz")
        papers = [
            submission(number, *signed(review(f"r{number}", {"rating": 3}, number)))
            for number in (1, 2, 3)
        ]
        text = json.dumps(papers)
        for number, forum in enumerate(forums, start=1):
            text = text.replace(f'"forum{number}"', f'"{forum}"')
        edges = [
            {"id": f"e{n}", "head": forum, "tail": ANN, "weight": n, "label": "x"}
            for n, forum in enumerate(forums, start=1)
        ]
        columns = {"rank": "weight", "paper": "head", "reviewer": "tail"}
        found = import_files(
            [saved(tmp_path, json.loads(text))],
            [saved(tmp_path, edges, "edges.json")],
            Options(columns=columns),
        )
        assert found.rankings[0].rows() == [(ANN, 1, 1), (ANN, 2, 2), (ANN, 3, 3)]
        assert any("3 papers of the rankings matched by their forums" in one for one in found.notes)

    def test_reviewers_of_another_name(self, tmp_path: Path) -> None:
        notes = saved(tmp_path, [submission(1, *signed(review("r1", {"rating": 3})))])
        ours = tag("1 of 2", invitation=f"{VENUE}/Program_Committee/-/Paper_Ranking", signature=ANN)
        theirs = tag("2 of 2", id="t2", invitation=f"{VENUE}/Senior_PC/-/Paper_Ranking")
        tags = saved(tmp_path, [{**ours, "forum": "forum1"}, theirs], "tags.json")
        group = venue_group(reviewers_id=f"{VENUE}/Program_Committee")
        found = import_files([notes, saved(tmp_path, [group], "groups.json")], [tags])
        assert found.rankings[0].rows() == [(ANN, 1, 1)]
        assert "tags.json: 1 rank by area chairs or authors left out" in found.notes

    def test_an_empty_list_says_so(self, tmp_path: Path) -> None:
        saved(tmp_path, [submission(1, *signed(review("r1", {"rating": 3})))])
        tags = saved(tmp_path, [], "tags.json")
        notes = import_files([tmp_path]).notes
        assert any("tags.json is an empty list: there are no ranks in it" in note for note in notes)
        assert not any("not understood" in note for note in notes)
        with refused("tags.json is JSON or XML of an unknown shape"):
            import_files([tmp_path / "notes.json"], [tags])

    @pytest.mark.parametrize("texts", [("1 - Best", "2", "3 - Worst"), ("1", "2", "3")])
    def test_ranks_as_the_first_invitations_had_them(
        self, texts: tuple[str, ...], tmp_path: Path
    ) -> None:
        papers = [
            submission(number, *signed(review(f"r{number}", {"rating": 3}, number)))
            for number in (1, 2, 3)
        ]
        tags = [
            tag(text, id=f"t{number}", forum=f"forum{number}", signature=ZOE)
            for number, text in enumerate(texts, start=1)
        ]
        found = import_files([saved(tmp_path, papers)], [saved(tmp_path, tags, "tags.json")])
        assert found.rankings[0].rows() == [(ZOE, 1, 1), (ZOE, 2, 2), (ZOE, 3, 3)]


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
