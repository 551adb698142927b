"""What a command says when the system refuses: why, what is there now, and an exit code of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from unround.cli import group, main
from unround.cli.screen import out, sum_of_line

pytestmark = pytest.mark.slow

FULL = Path("/dev/full")
has_full = pytest.mark.skipif(not FULL.is_char_device(), reason="no device that is always full")


@has_full
@pytest.mark.parametrize("arguments", [("check", "--output"), ("check", "--mail-merge")])
def test_a_full_disk(call, files, arguments):
    command, option = arguments
    done = call(command, *files, option, FULL)
    assert done.exit_code == 4
    assert "Not written: /dev/full cannot be written: the disk is full" in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "{reviews}", "-o", "{out}"),
        ("convert", "{reviews}", "-o", "{out}"),
        ("compare", "{reviews}", "-o", "{out}"),
        ("check", "{reviews}", "--output", "{out}"),
        ("check", "{reviews}", "--mail-merge", "{out}"),
        ("simulate", "-o", "{out}"),
        ("reproduce", "noise", "-o", "{out}"),
        ("report", "{reviews}", "-o", "{out}"),
        ("report", "{reviews}", "--all-area-chairs", "-o", "{out}"),
        ("export", "{reviews}", "--to", "csv", "-o", "{out}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("name", "reason"),
    [("x" * 300, "the name is too long"), ("file/out", "a part of its path is a file")],
    ids=["long", "through a file"],
)
def test_every_writer_refuses_a_place_before_it_reads(call, tmp_path, arguments, name, reason):
    """The input does not exist, and is not what is complained of."""
    (tmp_path / "file").touch()
    places = {"reviews": tmp_path / "missing.csv", "out": tmp_path / name}
    done = call(*(argument.format(**places) for argument in arguments))
    assert done.exit_code == 4
    assert f"cannot be written: {reason}" in done.output
    assert "Nothing was computed." in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_input_names_that_are_not_utf8(call, conference, tmp_path):
    other = tmp_path / os.fsdecode(b"caf\xe9.csv")
    (conference / "reviews.csv").rename(other)
    done = call(
        "run", os.fsencode(other).decode("utf-8", "surrogateescape"), "-o", tmp_path / "out"
    )
    assert done.exit_code == 1
    assert r"caf\xe9.csv is not a UTF-8 name; rename it" in done.output


class Panic(BaseException):
    """As libraries written in Rust raise."""


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 4, "not enough memory for this input"),
        (ImportError("failed to map segment: Cannot allocate memory"), 4, "not enough memory"),
        (RuntimeError("can't start new thread"), 4, "not enough memory for this input"),
        (RuntimeError("boom"), 70, "Internal error in unround (RuntimeError: boom)"),
        (Panic("boom"), 70, "Internal error in unround (Panic: boom)"),
    ],
)
def test_an_error_is_a_sentence_and_an_exit_code(monkeypatch, capsys, error, code, words):
    def broken(**_: object) -> None:
        raise error

    monkeypatch.setattr(group, "commands", broken)
    monkeypatch.delenv("UNROUND_DEBUG", raising=False)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown


# Raises an error, or sends a signal to this process, when a module is imported.
AT_IMPORT = """
import os, signal, sys

class Strike:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            {act}

sys.meta_path.insert(0, Strike())
from unround.cli import main
main()
"""


@pytest.mark.parametrize("module", ["click", "unround.cli.screen", "unround.cli.commands.check"])
@pytest.mark.parametrize(
    ("act", "code", "words"),
    [
        ("raise MemoryError", 4, "not enough memory"),
        ("raise RuntimeError('boom')", 70, "boom"),
        ("os.kill(os.getpid(), signal.SIGINT)", 130, "Stopped."),
    ],
)
def test_errors_and_interrupts_while_modules_load(module, act, code, words):
    program = AT_IMPORT.format(module=module, act=act)
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "x.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@has_full
def test_full_standard_output_is_reported_and_the_files_are_there(conference, tmp_path):
    issues = tmp_path / "issues.csv"
    check = ("-m", "unround", "check", conference / "reviews.csv")
    command = [sys.executable, *check, "--output", issues]
    with FULL.open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 4
    assert done.stderr == (
        "Not possible: the disk is full; make room or name another place. Not everything was printed; "
        "files that were to be written before are complete.\n"
    )
    assert issues.is_file()


def test_a_reader_that_leaves_is_no_refused_input(conference, tmp_path):
    """`unround check .. | true`: what was asked for is written, and nothing is said."""
    issues = tmp_path / "issues.csv"
    command = [sys.executable, "-m", "unround", "check", conference / "reviews.csv"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*command, "--output", issues], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")
    assert issues.is_file()


def test_letters_that_a_terminal_cannot_show_are_replaced():
    command = [sys.executable, "-m", "unround", "run", "--help"]
    western = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=western)
    assert "Strength ?: auto" in " ".join(done.stdout.split())


@pytest.mark.parametrize("arguments", ["", "--json", "--json --output issues.csv"])
def test_closed_streams_do_not_disturb_a_command(conference, tmp_path, arguments):
    line = f'exec "$0" -m unround check "$1" {arguments} <&- >&- 2>&-'
    command = ["sh", "-c", line, sys.executable, conference / "reviews.csv"]
    assert subprocess.run(command, check=False, cwd=tmp_path).returncode == 0
    assert (tmp_path / "issues.csv").is_file() == ("--output" in arguments)


@pytest.mark.parametrize(
    ("before", "now", "places", "text"),
    [  # as in web/tests/domain/places.test.ts
        (
            [5, 4, 4, 4, 3],
            [5, 4.2, 4, 3.9, 4.1],
            3,
            "3 in: 1 as before, 1 of the 3 that were tied for the last 2 places, 1 from below; "
            "none drops out",
        ),
        ([5, 4, 3, 2], [5, 2.9, 3, 2], 2, "2 in: 1 as before, 1 from below; 1 drops out"),
        (
            [4, 4, 4],
            [4.2, 4, 4],
            2,
            "2 in: 1 of the 3 that were tied for the 2 places, 1 of the 2 that are still tied; "
            "none drops out",
        ),
        ([4, 4], [4, 4], 1, "1 in: 1 of the 2 that are still tied; none drops out"),
        (
            [5, 4, 3, 2, 1, 1],
            [1, 2, 5, 4, 3, 1],
            3,
            "3 in: 1 as before, 2 from below; 2 drop out",
        ),
        ([5, 4], [5, 4], 0, "0 in; none drops out"),
        ([5, 4], [5, 4], 9, "2 in: 2 as before; none drops out"),
    ],
)
def test_the_line_of_the_screen_is_the_sum_of_the_pages(before, now, places, text):
    papers = pl.DataFrame({"score_mean": before, "dequantized_mean": now}, strict=False).cast(
        pl.Float64
    )
    assert sum_of_line(papers, places) == text


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", "lambda -> inf"), ("utf-8", "λ → ∞")])
def test_symbols_are_spelled_where_the_encoding_has_none(encoding, shown, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding, errors="replace"))
    out().print("λ → ∞")
    sys.stdout.flush()
    assert written.getvalue().decode(encoding).strip() == shown
