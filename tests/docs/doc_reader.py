"""A reader who does what a page says: writes its files, types its commands, enters its Python."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tests.docs.doc_pages import Block
from unround.cli.group import commands

WIDTH = "88"  # what a page can show without a scroll bar
# Lines of progress, in whose place a terminal shows a bar that goes away.
STEPS = re.compile(r"^[a-z]+: [\d,]+ of [\d,]+\n", re.M)


class PageReader:
    """Follows one page in one folder; what a block leaves behind is there for the next."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.complaints: list[str] = []
        self._names: dict[str, Any] = {}
        self._ended = 0

    def follow(self, block: Block) -> None:
        """Do what a block says and keep every difference from what it shows."""
        if block.caption:
            self._write(block)
        elif block.language == "console":
            self._type(block)
        elif block.language == "python":
            self._enter(block)

    def _write(self, block: Block) -> None:
        if block.language == "python":
            compile(block.text, block.caption, "exec")
        path = self.folder / block.caption
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")

    def _enter(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self._names, self.page.name, str(self.page), block.line - 1
        )
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        test.globs = self._names
        runner.run(test, out=self.complaints.append, clear_globs=False)

    def _type(self, block: Block) -> None:
        for line, command, expected in sessions(block):
            printed = _trimmed(self._printed(command))
            if not doctest.OutputChecker().check_output(expected, printed, doctest.ELLIPSIS):
                self.complaints.append(
                    f"{self.page.name}, line {line}: {command}\n"
                    f"expected:\n{expected}\nprinted:\n{printed}"
                )

    def _printed(self, command: str) -> str:
        if command == "echo $?":
            return f"{self._ended}\n"
        words = shlex.split(command)
        if words[0] == "unround" and "|" not in words:
            ended = CliRunner(env={"COLUMNS": WIDTH}).invoke(commands, words[1:])
            self._ended = ended.exit_code
            return STEPS.sub("", ended.output)
        done = subprocess.run(
            ["bash", "-c", command],
            env=os.environ | {"COLUMNS": WIDTH, "LC_ALL": "C.UTF-8", "PATH": _path()},
            capture_output=True,
            text=True,
            check=False,
        )
        self._ended = done.returncode
        return done.stdout + done.stderr


def sessions(block: Block) -> list[tuple[int, str, str]]:
    """The commands of a console block with their lines and what they are said to print."""
    found: list[tuple[int, str, list[str]]] = []
    continued = False
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith("$ "):
            found.append((number, line.removeprefix("$ "), []))
        elif continued:
            begun, command, printed = found[-1]
            found[-1] = (begun, f"{command.removesuffix(chr(92))}{line.strip()}", printed)
        else:
            found[-1][2].append(line)
        continued = line.endswith("\\") and (line.startswith("$ ") or continued)
    return [(line, command, _trimmed("\n".join(printed))) for line, command, printed in found]


def _trimmed(text: str) -> str:
    """Without white space at the ends of lines and of the whole, which no page shows."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")
    return f"{lines}\n" if lines else ""


def _path() -> str:
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
