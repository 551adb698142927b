"""Files as they come: JSON in pieces against json.loads, and everything made to break a reader."""

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.given_files import assert_refused, refused, within_bounds, written
from unround.formats.files import json_stream as pieces_of
from unround.formats.files.delimited import ragged_records
from unround.formats.files.json_stream import json_lines, json_stream
from unround.formats.files.source import Source
from unround.formats.importer import import_files

ROWS = "reviewer,paper,score\nann,1,3\nbob,1,4\n"


NUMBERS = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | NUMBERS | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)
DOCUMENTS = st.lists(VALUES) | st.dictionaries(st.text(), VALUES)


def flattened(document: Any) -> list[tuple[str, Any]]:
    if isinstance(document, list):
        return [("", item) for item in document]
    return [
        (key, item)
        for key, value in document.items()
        for item in (value if isinstance(value, list) else [value])
    ]


class TestJson:
    @pytest.mark.slow
    @settings(deadline=None)
    @given(DOCUMENTS, st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
    def test_pieces_are_those_of_the_whole(
        self, document: Any, block: int, ascii_only: bool, indent: int | None
    ):
        """However the text is cut into blocks."""
        text = json.dumps(document, ensure_ascii=ascii_only, indent=indent)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pieces_of, "BLOCK", block)
            found = list(pieces_of.json_pieces(io.StringIO(text)))
        assert found == flattened(json.loads(text))

    @pytest.mark.slow
    @settings(deadline=None)
    @given(DOCUMENTS, st.integers(1, 40), st.data())
    def test_a_text_cut_short_is_a_problem(self, document: Any, block: int, data: st.DataObject):
        text = json.dumps(document)
        short = text[: data.draw(st.integers(0, len(text) - 1))]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pieces_of, "BLOCK", block)
            with pytest.raises((ValueError, RecursionError)):
                list(pieces_of.json_pieces(io.StringIO(short)))

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "it starts with neither"),
            ("3", "it starts with neither"),
            ("[1] 2", "something follows after its end"),
            ("[1 2]", "unexpected '2'"),
            ('{"a" 1}', "an object's key is broken"),
            ("{1: 2}", "an object's key is broken"),
            ("[1,", "Expecting value"),
            ("[1", "it ends in the middle"),
            ('["abc', "Unterminated string"),
            ("[" * 100_000, "recursion"),
            ('{"a": ' * 100_000, "recursion"),
        ],
    )
    def test_what_is_wrong(self, tmp_path: Path, text: str, words: str):
        source = Source(written(tmp_path, "notes.json", text))
        with within_bounds(), refused(rf"notes.json is not valid JSON: .*{words}"):
            list(json_stream(source))

    def test_halves_of_characters_are_replaced(self, tmp_path: Path):
        text = r'{"\ud800": ["\udc00 x", {"k\ud83d": "\ud83d\ude00"}], "n": 1}'
        source = Source(written(tmp_path, "notes.json", text))
        expected = [("\ufffd", "\ufffd x"), ("\ufffd", {"k\ufffd": "😀"}), ("n", 1)]
        assert list(json_stream(source)) == expected
        record = {"\ufffd": ["\ufffd x", {"k\ufffd": "😀"}], "n": 1}
        assert list(json_lines(source)) == [(1, record)]

    def test_values_too_long_to_hold(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(pieces_of, "LONGEST_VALUE", 1_000_000)
        source = Source(written(tmp_path, "notes.json", '["' + "x" * 3_000_000))
        with within_bounds(), refused("one value is longer than 1 MB"):
            list(json_stream(source))

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_marked_encodings(self, tmp_path: Path, encoding: str):
        source = Source(written(tmp_path, "notes.json", '{"a": "ß"}'.encode(encoding)))
        assert list(json_stream(source)) == [("a", "ß")]

    @pytest.mark.parametrize("read", [json_stream, json_lines])
    def test_other_encodings(self, tmp_path: Path, read: Callable[[Source], Iterator[object]]):
        source = Source(written(tmp_path, "notes.json", '{"a": "ß"}'.encode("latin-1")))
        with refused(
            r"notes.json is not UTF-8 text. Read as cp1252, its line 1 begins "
            r"'{\"a\": \"ß\"}': if that is right, add --encoding cp1252; if not, save the file again"
        ):
            list(read(source))

    def test_lines_say_which_is_broken(self, tmp_path: Path):
        source = Source(written(tmp_path, "notes.jsonl", '{"a": 1}\n\n{"a": \n'))
        with refused(r"notes.jsonl, line 3 is not valid JSON: Expecting value"):
            list(json_lines(source))
        source = Source(written(tmp_path, "notes.jsonl", '{"a": 1}\n[2]\n'))
        with refused(r"notes.jsonl, line 2 is not a JSON object"):
            list(json_lines(source))


@pytest.mark.parametrize(
    ("text", "records"),
    [
        (
            '\ufeff\ufeff"a",b\r\n\r\n1,"x\r\ny"\r\n , \r\n2,"say ""hi"""\r\n',
            [(1, ["a", "b"]), (3, ["1", "x\r\ny"]), (6, ["2", 'say "hi"'])],
        ),
        ("\r\n\r\na\tb\r\n1\t2\r\n", [(3, ["a", "b"]), (4, ["1", "2"])]),
        *((f"a,b{end}1,2", [(1, ["a", "b"]), (2, ["1", "2"])]) for end in ("\n", "\r\n", "\r")),
        (
            'p\tt\n1\t"Why" is\n2\tSay "x"\n',
            [(1, ["p", "t"]), (2, ["1", '"Why" is']), (3, ["2", 'Say "x"'])],
        ),
        ('p\tt\n1\t"a\tb\nc"\n2\td\n', [(1, ["p", "t"]), (2, ["1", "a\tb\nc"]), (4, ["2", "d"])]),
        ("Title\n\na,b,c\n1,2\n", [(1, ["Title"]), (3, ["a", "b", "c"]), (4, ["1", "2"])]),
    ],
    ids=[
        "lines where records begin",
        "blank lines above",
        "LF",
        "CRLF",
        "CR",
        "tabs without quoting",
        "tabs with quoting",
        "records of any length",
    ],
)
def test_records_of_delimited_text(tmp_path: Path, text: str, records: list[object]):
    assert list(ragged_records(Source(written(tmp_path, "reviews.csv", text)))) == records


def test_lines_of_a_text(tmp_path: Path):
    lines = Source(written(tmp_path, "reviews.csv", "a\r\n\r\nb")).numbered_lines()
    assert list(lines) == [(1, "a"), (2, ""), (3, "b")]


NOT_UTF_8 = (
    r"is not UTF-8 text. Read as cp1252, its line 4 begins 'zoë,2,3': if that is right, add "
    r"--encoding cp1252; if not, save the file again as UTF-8"
)
QUOTED = '"reviewer"\t"paper"\t"score"\n"a"\t"1"\t"4"x\n"b"\t"1"\t"5"\n'
JSON_RECORD = '{"reviewer": "a", "paper": 1, "score": 2}\n'
slow = pytest.mark.slow


def million_names() -> str:
    return ",".join(f"c{number}" for number in range(1_000_000))


def many_keys() -> str:
    records = ({"reviewer": "a", "paper": n, "score": 1, f"k{n}": 1} for n in range(9000))
    return "\n".join(map(json.dumps, records))


# What stands in a file, and the words in which it is refused.
HOSTILE: dict[str, tuple[Callable[[], str | bytes], str]] = {
    "short.csv": (lambda: ROWS + "eve,2", "short.csv, line 4 has 2 cells but the header has 3"),
    "long.csv": (lambda: ROWS + "eve,2,3,4\n", "line 4 has 4 cells but the header has 3"),
    "quote.csv": (
        lambda: ROWS + '"eve,2,3\n' + "x,1,2\n" * 1000,
        "line 1004 is not readable as CSV: unexpected end of data; the file may be cut off or have "
        "an open quotation mark",
    ),
    "a broken quotation mark.tsv": (lambda: QUOTED, "line 2 is not readable as CSV"),
    "a broken quotation mark below a blank line.tsv": (
        lambda: "\n" + QUOTED,
        "line 3 is not readable as CSV",
    ),
    "a lone carriage return.csv": (
        lambda: "reviewer,paper,score\r\na,1,4\r\nb\r,1,5\r\n",
        "line 3 has 1 cells but the header has 3",
    ),
    "a cell of 20 MB.csv": (
        lambda: f"{ROWS}{'e' * 20_000_000},2,3\n",
        "line 4 is not readable as CSV: field larger than field limit",
    ),
    "a line of 60 MB.csv": (lambda: ROWS + "e" * 60_000_000, "line 4 is longer than 50 MB"),
    "latin-1.csv": (lambda: (ROWS + "zoë,2,3\n").encode("latin-1"), NOT_UTF_8),
    "half of UTF-16.csv": (
        lambda: ROWS.encode("utf-16")[:-3],
        "is not UTF-8 text: save it again as UTF-8",
    ),
    "no mark.csv": (lambda: ROWS.encode("utf-16-le"), "is a binary file of an unknown kind"),
    "zero bytes far down.csv": (
        lambda: ROWS + "ann,2,3\n" * 20_000 + "b\x00b,3,1\n",
        "line 20004 has zero bytes, which no text has",
    ),
    "binary.csv": (lambda: bytes(range(256)) * 100, "is a binary file of an unknown kind"),
    "reviews.xls": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600,
        r"reviews.xls is a binary Excel file \(.xls\) or a workbook with a password: open it in a "
        "spreadsheet and save it as .xlsx",
    ),
    "a million columns.csv": (
        lambda: f"reviewer,paper,score,{million_names()}\n",
        "has 1000003 columns; at most 5000 are read",
    ),
    "a million unknown columns.csv": (
        million_names,
        "is a table, but its columns 'c0', 'c1', .* are not understood",
    ),
    "a million keys.jsonl": (many_keys, "has more than 5000 different keys"),
    "deep.json": (lambda: '{"a":' * 200_000, "deep.json is not valid JSON: maximum recursion"),
    "deep in a later line.jsonl": (
        lambda: JSON_RECORD + '{"reviewer":' * 200_000,
        "line 2 is not valid JSON: .*recursion",
    ),
    "empty.csv": (lambda: b"", r"empty.csv is empty: export it again"),
    "blank.csv": (lambda: "\n \n\t\n", r"blank.csv is blank; `unround help files`"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=slow if "million" in name else ()) for name in HOSTILE]
)
def test_hostile_files(tmp_path: Path, name: str):
    """Through the front door, as a user meets them."""
    content, words = HOSTILE[name]
    assert_refused(written(tmp_path, name, content()), words)


def test_paths_that_lead_to_no_file(tmp_path: Path):
    assert_refused(tmp_path / "none.csv", r"none.csv does not exist")
    assert_refused(written(tmp_path, "reviews.csv", ROWS) / "below", r"below does not exist")
    assert_refused(Path("a\x00b"), "does not exist")
    assert_refused(tmp_path / ("x" * 5000), "cannot be read: File name too long")
    os.mkfifo(tmp_path / "pipe")
    assert_refused(tmp_path / "pipe", "pipe is neither a file nor a folder")


@pytest.mark.parametrize("call", ["open", "stat"], ids=["the file", "its folder"])
def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str):
    """Simulated, because an administrator may read everything."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, "reviews.csv", ROWS)
    monkeypatch.setattr(Path, call, refuse)
    with refused(r"reviews.csv cannot be read: Permission denied"):
        import_files([path])
