"""Standard output and standard error, whatever the caller made of them: closed, full, not UTF-8."""

from __future__ import annotations

import codecs
import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO, cast

# What stands for a letter that the terminal cannot show.
_PLAIN = {"λ": "lambda", "ε": "epsilon", "→": "->", "×": "x", "±": "+-", "≥": ">=", "≤": "<="}
_PLAIN |= {"−": "-", "–": "-", "—": "-", "…": "...", "’": "'", "“": '"', "”": '"', "∞": "infinity"}
_HANDLER = "unround.plain"


class Unprinted(Exception):
    """A standard stream takes no more: its disk is full, or it is gone."""


class Unread(Unprinted):
    """Whoever read a standard stream is gone, as `head` is after its first lines."""


class _Stream:
    """A standard stream whose failures can be told from those of files."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream, self._name = stream, name

    def write(self, text: str) -> int:
        """Write text, or raise Unprinted."""
        try:
            return self._stream.write(text)
        except OSError as error:
            raise self._unprinted(error) from error

    def flush(self) -> None:
        """Write what is kept back, or raise Unprinted."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._unprinted(error) from error

    def _unprinted(self, error: OSError) -> Unprinted:
        """Send what the stream still holds to the null device, so that the exit does not fail too."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)
        with suppress(OSError):
            self._stream.flush()
        return (Unread if isinstance(error, BrokenPipeError) else Unprinted)(self._name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def prepare_streams() -> None:
    """Let no message fail for its letters, and tell a stream that takes no more."""
    codecs.register_error(_HANDLER, _plain_letters)
    sys.stdout, sys.stderr = _told(sys.stdout, "output"), _told(sys.stderr, "error")


def _told(stream: TextIO, name: str) -> TextIO:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=_HANDLER)
    return cast(TextIO, _Stream(stream, f"standard {name}"))


def fill_closed() -> None:
    """Open the null device where a standard stream was closed, lest a file get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Return letters that any terminal shows in place of those that this one cannot."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_plain_letter, letters)), error.end


def _plain_letter(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    import unicodedata

    base = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode("ascii")
    return base or letter.encode("ascii", "backslashreplace").decode("ascii")
