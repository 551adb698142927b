"""Broken, strange and malicious files: refused clearly or read correctly, soon, in bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unround
from tests.formats.given_files import assert_refused, imported, needs_proc, read_apart, written
from tests.formats.systems.openreview.openreview_made import (
    FIXTURES,
    VENUE,
    review,
    saved,
    submission,
)
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import ImportRefused, Options
from unround.formats.systems.openreview import READERS
from unround.formats.systems.openreview.records import kind_of

pytestmark = pytest.mark.slow

JSON_FILES = sorted(path.name for path in FIXTURES.glob("*.json"))
NOTE = '{"id": "a", "forum": "f", "replyto": "f", "content": '


@pytest.mark.parametrize("name", JSON_FILES)
def test_cut_off_files_are_refused_at_every_length(tmp_path: Path, name: str) -> None:
    whole = (FIXTURES / name).read_bytes().rstrip()
    reader = next(one for one in READERS if one.recognises(Source(FIXTURES / name)))
    for length in range(1, len(whole), max(1, len(whole) // 97)):
        source = Source(written(tmp_path, name, whole[:length]))
        kind_of(source)
        with pytest.raises(ImportRefused):
            reader.read(source, Options())


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"content":{"rating":'])
def test_deep_nesting_is_refused(tmp_path: Path, opening: str) -> None:
    path = written(tmp_path, "notes.json", f"[{NOTE}{opening * 200_000}")
    assert_refused(path, "notes.json is not valid JSON")


def test_a_note_longer_than_its_head_is_recognised(tmp_path: Path) -> None:
    replies = json.loads((FIXTURES / "v2_submissions.json").read_text())
    replies[0]["content"]["abstract"]["value"] = 'long "text" \\ ' * 50_000
    replies[0] = {"number": 1, "content": replies[0].pop("content"), **replies[0]}
    found = import_files([written(tmp_path, "notes.json", json.dumps(replies))])
    assert found.reviews.height == 6


def test_strings_that_look_like_json_do_not_mislead(tmp_path: Path) -> None:
    text = json.dumps({"paper": '{"content": {}, "forum": "x", "details": []}', "score": 3})
    assert kind_of(Source(written(tmp_path, "notes.json", text))) is None


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "true", "[1, 2]", '{"a": 1}'])
def test_values_that_are_no_scores_are_refused_later_not_swallowed(
    tmp_path: Path, value: str
) -> None:
    notes = [review("a", {"rating": 3}), review("b", {"rating": "VALUE"}, reviewer="bbbb")]
    text = json.dumps(notes).replace('"VALUE"', value)
    table = import_files([written(tmp_path, "notes.json", text)]).reviews
    if value == "NaN":
        assert table.height == 1
        return
    with pytest.raises(unround.InputRefused):
        unround.dequantize(table)


def test_cells_that_python_would_choke_on(tmp_path: Path) -> None:
    cells = ["{'value': " + "(" * 400, "{'value': {[]: 1}}", "{'value': __import__('os')}"]
    for cell in cells[1:]:
        found = imported(tmp_path, f'profileID,forum,rating\n~A1,f1,"{cell}"\n')
        assert found.reviews["score"].to_list() == [cell]
    path = written(tmp_path, "reviews.csv", f"profileID,forum,rating\n~A1,f1,{cells[0]}\n")
    assert_refused(path, "'rating' is a text of 410 characters")


def test_a_long_address_is_read_in_linear_time(tmp_path: Path) -> None:
    cell = "http://a?" + "&id=" * 500_000 + "#\n"
    # In quadratic time this takes hours, and pytest's timeout ends it.
    found = imported(tmp_path, f'profileID,forum,rating\n~A1,"{cell}",3\n')
    assert found.reviews["score"].to_list() == [3]


def test_a_folder_with_a_broken_file_names_it(tmp_path: Path) -> None:
    written(tmp_path, "a.json", (FIXTURES / "v2_submissions.json").read_bytes())
    written(tmp_path, "b.json", f"[{NOTE}")
    assert_refused(tmp_path, r"b\.json is not valid JSON")


@needs_proc
def test_many_long_reviews_stream(tmp_path: Path) -> None:
    """A file several times longer than the memory that reading it may add."""
    text = "All of the review's words. " * 320
    groups = [
        {"id": f"{VENUE}/Submission{paper}/Reviewer_{k}", "members": [f"~P{(paper + k) % 5000}_1"]}
        for paper in range(6_500)
        for k in range(4)
    ]
    saved(tmp_path, groups, "groups.json")
    with (tmp_path / "notes.json").open("w") as notes:
        for paper in range(6_500):
            content = {"rating": paper % 10, "review": text}
            replies = (review(f"r{paper}.{k}", content, paper, str(k)) for k in range(4))
            notes.write(("," if paper else "[") + json.dumps(submission(paper, *replies)))
        notes.write("]")
    reviews, megabytes = read_apart(tmp_path / "notes.json", tmp_path / "groups.json")
    assert reviews == 26_000
    assert (tmp_path / "notes.json").stat().st_size > 230e6
    assert megabytes < 500  # numba, polars and python take 200
