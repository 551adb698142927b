"""HotCRP reviews in all their shapes: golden tables, places, notes, and messages."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.formats.given_files import places, read_as, refused, rows_of, written
from tests.formats.systems.hotcrp.hotcrp_files import ANA, FIXTURES, JEAN, NAMES, WEI, read
from unround import Scale
from unround.formats.importer import import_files
from unround.formats.model import Options

SHORT = (
    "paper,title,review,reviewername,email,Overall merit,Reviewer expertise\n"
    "1,One,1A,Ana,ana@example.org,3\n"
)
WITH_DRAFTS = Options(count_drafts=True)
MERITS = "paper,title,review,reviewername,email"
REVIEW = ("reviewer", "paper", "score", "review", "reviewer_name", "reviewer_email")


def test_reviews_csv_takes_the_later_merit_and_falls_back_on_the_earlier() -> None:
    part = read(FIXTURES / "reviews.csv")
    first, second = "Write-Back Caches Considered Harmful", "Rooter: A Methodology, Revisited"
    assert rows_of(part.reviews, *REVIEW, "title", "confidence") == [
        (ANA, "1", "3", "1A", NAMES[ANA], ANA, first, "3"),
        (JEAN, "1", "4", "1B", NAMES[JEAN], JEAN, first, "4"),
        (ANA, "2", "5", "2r17", NAMES[ANA], ANA, second, "2"),
        (WEI, "10", "2", "10A", NAMES[WEI], WEI, "Deconstructing Suffix Trees", "2"),
    ]
    assert places(part.reviews) == [f"reviews.csv, line {line}" for line in (2, 4, 5, 7)]
    assert part.recognised == (
        "reviews.csv: HotCRP reviews (CSV), scores from 'Post-Rebuttal Overall Merit', "
        "where empty from 'Pre-Response Overall Merit'"
    )
    assert part.notes == (
        "reviews.csv: 1 review without a score left out",
        "reviews.csv: 1 score taken from 'Pre-Response Overall Merit', where "
        "'Post-Rebuttal Overall Merit' is empty",
    )
    assert part.scale is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{SHORT}2,Two,2A,Bo", r"line 3 has 4 cells .* cut off"),
        (f"{SHORT}2,Two,2A,Bo,b@c,4,7,8\n", "has 8 cells"),
        (
            "pid,review,email,round,field,format,data\n1,1A,a@x,R1,Merit,0,4\n",
            r"r\.csv is the narrow output .* without -x",
        ),
        (
            "paper,title,review,email,Overall merit,Overall merit\n1,One,1A,a@example.org,3,4\n",
            r"has the column 'Overall merit' more than once",
        ),
    ],
    ids=["cut off", "too long", "narrow batch", "two scores of one name"],
)
def test_tables_that_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", text)
    with refused(message):
        read(path)


def test_the_user_chooses_the_field() -> None:
    stack = "Where Would You Rank This Paper, in Your Stack?"
    path = FIXTURES / "reviews.csv"
    part = read(path, Options(score_fields=(stack,)))
    assert part.reviews.table["score"].to_list() == ["C", "A", "B", "B"]
    again = read(path, Options(columns={"score": stack.lower()}))
    assert again.recognised == part.recognised
    fields = "No such", "Pre-Response Overall Merit"
    pre_only = read(path, Options(score_fields=fields, columns={"confidence": stack}))
    assert pre_only.reviews.table["score"].to_list() == ["2", "4", "5", "1"]
    assert pre_only.reviews.table["confidence"].to_list() == ["C", "A", "B", "B"]


def test_letters_byte_order_mark_and_crlf() -> None:
    part = read(FIXTURES / "letters-reviews.csv")
    columns = ("reviewer", "paper", "score", "reviewer_name", "reviewer_email", "title")
    assert rows_of(part.reviews, *columns) == [
        (ANA, "3", "B", NAMES[ANA], ANA, "Café Scheduling"),
        (ANA, "4", "D", NAMES[ANA], ANA, "Lettered"),
        (JEAN, "3", "A", NAMES[JEAN], JEAN, "Café Scheduling"),
    ]
    assert places(part.reviews) == [f"letters-reviews.csv, line {line}" for line in (2, 3, 4)]


def test_without_identities_each_review_stands_for_itself(tmp_path: Path) -> None:
    part = read(FIXTURES / "aureviews.csv")
    assert rows_of(part.reviews, "reviewer", "paper", "score", "review", "title") == [
        ("1A", "1", "4", "1A", "First"),
        ("1B", "1", "2", "1B", "First"),
        ("2A", "2", "3", "2A", "Second"),
    ]
    (note,) = part.notes
    assert "no review says who wrote it" in note
    assert "rankings cannot be used" in note
    assert "chair's (administrator's) account" in note
    partly = read(FIXTURES / "partly-hidden-reviews.csv")
    unnamed = ["1B", "review 1 of paper 2", "review 2 of paper 2"]
    assert partly.reviews.table["reviewer"].to_list() == [ANA, *unnamed]
    assert "3 reviews without an author" in partly.notes[0]
    bare = "paper,title,review,Overall merit\n1,One,A,3\n2,Two,A,4\n2,Two,2B,5\n"
    of_two_papers = read(written(tmp_path, "r.csv", bare))
    assert of_two_papers.reviews.table["reviewer"].to_list() == ["1A", "2A", "2B"]


def test_scores_csv_by_search_keywords() -> None:
    part = read(FIXTURES / "scores.csv")
    assert rows_of(part.reviews, *REVIEW, "title", "decision", "confidence") == [
        (ANA, "1", "2", "1A", NAMES[ANA], ANA, "First", "Accepted", "3"),
        (JEAN, "1", "4", "1B", NAMES[JEAN], JEAN, "First", "Accepted", "2"),
    ]
    assert "scores from 'PosRebOve', where empty from 'PreResOve'" in part.recognised


@pytest.mark.parametrize(
    ("columns", "chosen"),
    [
        ("Overall merit,Novelty", "Overall merit"),
        ("Novelty,OVERALL MERIT (1-5)", "OVERALL MERIT (1-5)"),
        ("OveMer,Nov,RevExp", "OveMer"),
        ("overAllMerit,novelty", "overAllMerit"),
        ("Final overall merit,Initial overall merit", "Final overall merit"),
        ("Overall merit,Pre-rebuttal overall merit", "Overall merit"),
        ("Overall merit,Post-response overall merit", "Post-response overall merit"),
        ("Recommendation,Overall rating,Novelty", "Overall rating"),
        ("Novelty,Recommendation", "Recommendation"),
        ("Technical merit,Overall", "Overall"),
        ("Final recommendation,Clarity", "Final recommendation"),
        ("Overall merit,Post-discussion merit", "Post-discussion merit"),
        ("Overall merit,Final merit", "Final merit"),
        ("Updated score,Overall merit", "Updated score"),
        ("Overall merit,Merit after response", "Merit after response"),
        ("Initial overall merit,New recommendation", "New recommendation"),
        ("OveMer,PosDisMer", "PosDisMer"),
        ("Overall merit,Final merit,Updated score", "Overall merit"),
        ("Overall merit,Final soundness", "Overall merit"),
    ],
)
def test_the_guess(columns: str, chosen: str, tmp_path: Path) -> None:
    values = ",".join("1" for _ in columns.split(","))
    text = f"paper,title,review,reviewername,email,{columns}\n1,One,1A,A,a@example.org,{values}\n"
    assert f"scores from '{chosen}'" in read(written(tmp_path, "r.csv", text)).recognised


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        (
            "Overall merit,Confidential overall recommendation",
            "Confidential overall recommendation",
        ),
        ("Overall merit,Final soundness,Novelty", "Final soundness"),
        ("Overall merit,Final merit,Updated score", "Updated score"),
        ("OveMer,RevExp,Nov", ""),
        ("Overall merit,Confidence after rebuttal", ""),
        ("Overall merit,Reviewer qualification", ""),
        ("OveMer,RevQua", ""),
    ],
)
def test_scores_that_are_passed_over_are_named(columns: str, named: str, tmp_path: Path) -> None:
    values = ",".join(str(n) for n, _ in enumerate(columns.split(","), start=1))
    text = f"{MERITS},{columns}\n1,One,1A,A,a@example.org,{values}\n"
    notes = [note for note in read(written(tmp_path, "r.csv", text)).notes if "not used" in note]
    assert bool(notes) == bool(named)
    assert all(f"--field '{named}'" in note for note in notes[-1:])
    path = written(tmp_path, "r.csv", text)
    assert read(path, Options(score_fields=("Overall merit", "OveMer"))).notes == ()


def test_later_scores_on_another_scale_are_named_but_not_taken(tmp_path: Path) -> None:
    form = {
        "OveMer": {"name": "Overall merit", "values": ["a", "b", "c"]},
        "FinMer": {"name": "Final merit", "values": ["no", "yes"]},
    }
    review = {"pid": 1, "rid": 2, "reviewer_email": ANA, "OveMer": 3, "FinMer": 2}
    part = read(rqc(tmp_path, form, review))
    assert part.reviews.table["score"].to_list() == ["3"]
    assert any("'Final merit' holds scores too" in note for note in part.notes)


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Post overall merit,Pre overall merit", ["3,B", ",A"]),
        ("score,rank", ["3,1"]),
    ],
    ids=["a fallback of another kind", "called as columns of plain tables"],
)
def test_the_guess_is_one_field(header: str, cells: list[str], tmp_path: Path) -> None:
    rows = [f"1,One,1A,A,a{row}@example.org,{cell}" for row, cell in enumerate(cells)]
    text = "\n".join([f"paper,title,review,reviewername,email,{header}", *rows, ""])
    part = read_as("hotcrp-reviews", written(tmp_path, "r.csv", text))
    assert part.recognised.endswith(f"scores from '{header.partition(',')[0]}'")


@pytest.mark.parametrize("columns", ["Novelty,Clarity", "Overall merit R1,Overall merit R2"])
def test_no_guess_lists_the_candidates(columns: str, tmp_path: Path) -> None:
    one, two = columns.split(",")
    text = f"paper,title,review,email,{columns},Comments\n1,One,1A,a@example.org,3,B,Text\n"
    message = rf"r\.csv: no field is plainly .* hold scores: '{one}', '{two}'\. Choose with --field"
    with refused(message):
        read(written(tmp_path, "r.csv", text))


def test_a_field_that_is_missing_or_no_score_is_named() -> None:
    path = FIXTURES / "reviews.csv"
    with refused(r"has no field 'Worth'; fields that hold scores: 'Whe"):
        read(path, Options(score_fields=("Worth",)))
    with refused(r"'Merit' could be any of 'Pre-Response Overall Merit', 'Post-Rebuttal"):
        read(path, Options(score_fields=("Merit",)))
    with refused(r"line 2 holds 'Two lines.*, so 'Comments for authors' is not a score"):
        read(path, Options(score_fields=("Comments for authors",)))


def test_labelled_values_are_not_cut_short(tmp_path: Path) -> None:
    values = ["3.5: good", "2. Weak reject", "4", "N/A", "undefined", "No entry"]
    rows = [f'{row},T,{row}A,a@example.org,"{value}"\n' for row, value in enumerate(values)]
    header = "paper,title,review,email,Overall merit\n"
    part = read(written(tmp_path, "r.csv", header + "".join(rows)))
    assert part.reviews.table["score"].to_list() == ["3.5", "2", "4"]
    assert part.notes == ("r.csv: 3 reviews without a score left out",)


def test_rqc_json_states_the_scale_and_leaves_out_what_is_no_review() -> None:
    part = read(FIXTURES / "rqc.json")
    caches = "Write-Back Caches Considered Harmful"
    assert rows_of(part.reviews, *REVIEW, "title", "track", "decision", "confidence") == [
        (ANA, "1", "B", "1A", "Ana Muñoz & co", ANA, caches, "short", "Accepted", "3"),
        (JEAN, "1", "D", "1r8", NAMES[JEAN], JEAN, caches, "short", "Accepted", None),
        ("3B", "3", "A", "3B", None, None, "Rooter: A Methodology", None, None, "2"),
    ]
    assert part.scale == Scale(["D", "C", "B", "A"])
    assert places(part.reviews) == [f"rqc.json, review {review}" for review in ("1A", "1r8", "3B")]
    assert part.notes[:4] == (
        "rqc.json: 1 meta-review left out",
        "rqc.json: 1 paper hidden from the account left out",
        "rqc.json: 1 review not submitted left out",
        "rqc.json: 1 review without a score left out",
    )
    assert "1 review without an author" in part.notes[4]


def rqc(folder: Path, form: dict[str, object], *reviews: dict[str, object]) -> Path:
    """The reviews of one paper as HotCRP's RQC report."""
    papers = [{"pid": 1, "reviews": reviews}]
    document = {"papers": papers, "reviewform": form, "hotcrp_version": "3"}
    return written(folder, "rqc.json", json.dumps(document))


@pytest.mark.parametrize(
    ("field", "value", "scale"),
    [
        ({"values": ["a", "b", "c"]}, 2, Scale([1, 2, 3])),
        ({"options": ["a", "b", "c"], "option_letter": "X"}, "Y", Scale(["Z", "Y", "X"])),
        ({"symbols": ["--", "-0-", "++"]}, "-0-", Scale(["--", "-0-", "++"])),
        ({"values": ["", ""], "symbols": ["0.5", "1"]}, 0.5, Scale([0.5, 1])),
        ({"values": ["", ""], "symbols": [2, 1]}, 2, None),
    ],
)
def test_scales_of_forms(
    field: dict[str, object], value: object, scale: Scale | None, tmp_path: Path
) -> None:
    form = {"OveMer": {"name": "Overall merit", "type": "radio", **field}}
    review = {"pid": 1, "rid": 2, "status": "complete", "reviewer_email": ANA, "OveMer": value}
    part = read(rqc(tmp_path, form, review))
    assert part.scale == scale
    assert part.reviews.table["score"].to_list() == [str(value)]


def test_a_value_that_the_form_does_not_have_is_named(tmp_path: Path) -> None:
    form = {"OveMer": {"name": "Overall merit", "values": ["a", "b"]}}
    reviews = [
        {"pid": 1, "rid": number, "reviewer_email": ANA, "OveMer": value}
        for number, value in enumerate([1, "Accept"])
    ]
    path = rqc(tmp_path, form, *reviews)
    with refused(r"review 1r1 holds 'Accept'"):
        read(path, Options(score_fields=("OveMer",)))
    with refused("no field is plainly the overall score"):
        read(path)


def test_fields_with_different_scales_cannot_replace_each_other(tmp_path: Path) -> None:
    form = {
        "Pos": {"name": "Post merit", "values": ["a", "b"]},
        "Pre": {"name": "Pre merit", "values": ["a", "b", "c"]},
    }
    review = {"pid": 1, "rid": 2, "reviewer_email": ANA, "Pos": 2, "Pre": 3}
    path = rqc(tmp_path, form, review)
    with refused(r"different scales: 'Post merit' has Scale\(1, 2\)"):
        read(path, Options(score_fields=("Pos", "Pre")))
    assert read(path).scale == Scale([1, 2])


def test_review_objects_in_an_object_or_bare_or_alone(tmp_path: Path) -> None:
    document = json.loads((FIXTURES / "api-reviews.json").read_text(encoding="utf-8"))
    expected = [
        ("jane@example.org", "18", "2", "18A", "Jane Doe", "jane@example.org", "1"),
        (ANA, "18", "5", "18r194", NAMES[ANA], ANA, "4"),
    ]
    for content in (document, document["reviews"]):
        part = read(written(tmp_path, "reviews.json", json.dumps(content)))
        assert rows_of(part.reviews, *REVIEW, "confidence") == expected
        assert places(part.reviews) == ["reviews.json, review 18A", "reviews.json, review 18r194"]
        assert part.notes == (
            "reviews.json: 1 review not submitted left out",
            "reviews.json: 1 meta-review left out",
            "reviews.json: 1 entry of another kind left out",
            "reviews.json: 1 review without a score left out",
        )
        assert part.scale is None
    alone = json.dumps({"ok": True, "review": document["reviews"][0]})
    part = read(written(tmp_path, "review.json", alone))
    assert rows_of(part.reviews, *REVIEW, "confidence") == expected[:1]


def test_old_review_forms() -> None:
    part = read(FIXTURES / "form-old.txt", WITH_DRAFTS)
    title = "Consistent Overhead Byte Stuffing, with a title that goes on and on"
    assert rows_of(part.reviews, *REVIEW, "title", "confidence") == [
        (ANA, "18", "2", "18A", NAMES[ANA], ANA, title, "1"),
        (WEI, "20", "3", None, None, WEI, None, None),
    ]
    assert part.scale == Scale([1, 2, 3])
    assert places(part.reviews) == ["form-old.txt, line 5", "form-old.txt, line 64"]
    assert part.notes == (
        "form-old.txt: 1 review not submitted left out",
        "form-old.txt: 1 review without a score left out",
    )


def test_current_review_forms() -> None:
    part = read(FIXTURES / "form-current.txt")
    lettered = (JEAN, "7", "B", "7A", NAMES[JEAN], JEAN, "Lettered")
    assert rows_of(part.reviews, *REVIEW, "title") == [lettered]
    assert part.scale == Scale(["C", "B", "A"])
    assert "'Overall merit of this submission, considering everything'" in part.recognised


def test_a_form_with_a_wrapped_label_is_read_and_one_cut_off_is_refused(tmp_path: Path) -> None:
    text = (FIXTURES / "form-old.txt").read_text(encoding="utf-8")
    wrapped = text.replace("2. Weak reject\n\n", "2. Weak\nreject\n\n")
    assert wrapped != text
    part = read(written(tmp_path, "form.txt", wrapped))
    assert part.reviews.table["score"].to_list() == ["2"]
    path = written(tmp_path, "form.txt", text[: text.rindex("==+== End Review")])
    with refused(r"form\.txt: the review that begins on line 82 has no end"):
        read(path)


def test_paper_lists_add_titles_and_decisions_but_are_no_reviews() -> None:
    imported = import_files([FIXTURES / "aureviews.csv", FIXTURES / "data.csv"])
    assert imported.papers.columns == ["paper", "title", "decision"]
    assert imported.papers.rows() == [
        (1, "Write-Back Caches Considered Harmful", "Rejected"),
        (2, "Another title", "Accepted"),
    ]
    tracked = import_files([FIXTURES / "aureviews.csv", FIXTURES / "data.json"])
    assert tracked.papers["track"].to_list() == ["short", None]
    for file in ("data.csv", "data.json"):
        with refused(r"no reviews among the files: .*export Reviews \(CSV\)"):
            import_files([FIXTURES / file])


FORM = (FIXTURES / "form-current.txt").read_text("utf-8").replace("Review #7A", "Review")
BLANK = FORM.replace(
    "Paper #7\n==-== Title: Lettered\n", "Paper Number\n\n(Enter paper number here)\n"
).replace("\nb\n", "\n(Your choice here)\n")


def test_blank_forms_are_left_out_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, "forms.txt", FORM + BLANK)
    imported = import_files([path], options=WITH_DRAFTS)
    assert imported.reviews["score"].to_list() == ["B"]
    said, untold = imported.notes
    assert said == "forms.txt: 1 form without a paper's number (blank) left out"
    assert untold.startswith("No file says which reviews are meta-reviews")
    blank = written(tmp_path, "blank.txt", BLANK)
    imported = import_files([blank, FIXTURES / "form-old.txt"])
    assert imported.reviews.height == 1
    assert "blank.txt: 1 form without a paper's number (blank) left out" in imported.notes
    with refused(r"no reviews among .*blank\.txt: HotCRP review forms"):
        import_files([blank])


def test_a_form_without_an_entry_is_a_review_without_a_score(tmp_path: Path) -> None:
    """Reviews may come one to a file: the titles of the form choose the field, not one's entries."""
    unscored = FORM.replace("\nb\n", "\n(Your choice here)\n").replace("Paper #7", "Paper #8")
    files = [written(tmp_path, "7.txt", FORM), written(tmp_path, "8.txt", unscored)]
    imported = import_files(files, options=WITH_DRAFTS)
    assert imported.reviews["paper"].to_list() == [7]
    assert "8.txt: 1 review without a score left out" in imported.notes
    with refused(r"8\.txt: .* holds no review with a score in 'Overall merit of this submission"):
        import_files(files[1:], options=WITH_DRAFTS)


def test_a_form_without_its_first_line_is_refused(tmp_path: Path) -> None:
    text = BLANK + BLANK.replace("==+== Begin", "==+= Begin")
    with refused(f"line {len(text.splitlines())} ends a review that has no beginning"):
        import_files([written(tmp_path, "forms.txt", text)])


def test_reviews_in_json_know_when_they_were_changed(tmp_path: Path) -> None:
    part = read(FIXTURES / "api-reviews.json")
    assert part.reviews.table["modified"][0] == 1603205365_000
    changed = (FIXTURES / "api-reviews.json").read_text(encoding="utf-8")
    later = changed.replace("1603205365", "1603300000").replace('"OveMer":2', '"OveMer":4')
    newer = written(tmp_path, "after-rebuttal.json", later)
    for files in ([newer, FIXTURES / "api-reviews.json"], [FIXTURES / "api-reviews.json", newer]):
        of_jane = import_files(files).reviews.filter(pl.col("reviewer") == "jane@example.org")
        assert of_jane["score"].to_list() == [4]
