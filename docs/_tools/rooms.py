"""Print files and lines per room at one commit, or side by side at two.

python docs/_tools/rooms.py ffcd0f0 HEAD
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import PurePosixPath

SUFFIXES = {".py", ".toml", ".ts", ".tsx", ".css", ".md"}
GENERATED = {"web/src/api/schema.ts"}


def rooms_at(commit: str) -> tuple[Counter[str], Counter[str]]:
    """Count files and lines per room: a folder of src/unround, or a folder at the top."""
    archive = subprocess.run(  # noqa: S603
        ["git", "archive", commit],  # noqa: S607
        capture_output=True,
        check=True,
    ).stdout
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            content = tar.extractfile(member)
            if content is None or path.suffix not in SUFFIXES or member.name in GENERATED:
                continue
            count = content.read().count(b"\n")
            for room in _rooms(path):
                files[room] += 1
                lines[room] += count
    return files, lines


def _rooms(path: PurePosixPath) -> list[str]:
    if path.parts[:2] == ("src", "unround"):
        return ["src", f"src/unround/{path.parts[2] if len(path.parts) > 3 else '(root)'}"]
    if path.parts[:2] == ("web", "src"):
        return ["web/src"]
    return [path.parts[0]] if path.parts[0] in ("tests", "benchmarks", "docs") else []


def main() -> None:
    """Print a Markdown table."""
    commits = sys.argv[1:] or ["HEAD"]
    counts = [rooms_at(commit) for commit in commits]
    heads = [f"files {commit} | lines {commit}" for commit in commits]
    print("| room |", " | ".join(heads), "|")  # noqa: T201
    print("|---|" + "---:|" * (2 * len(commits)))  # noqa: T201
    for room in sorted({room for files, _ in counts for room in files}):
        cells = " | ".join(f"{files[room]:,} | {lines[room]:,}" for files, lines in counts)
        print(f"| {room} | {cells} |")  # noqa: T201


if __name__ == "__main__":
    main()
