"""sdist and wheel hold the files of the repository and the built pages. One builds the other without Node.

`make wheel-check` compares the bytes of two builds, and installs and uses the wheel.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import unround
from unround.report.pages import is_built

CHECKOUT = Path(__file__).parents[1]
PAGES = Path("src/unround/static")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_built(), reason="the front end is not built: make web"),
    pytest.mark.skipif(not (CHECKOUT / ".git").exists(), reason="no checkout"),
]


def checkout(folder: Path) -> Path:
    """Copy what is in the repository, and the built pages."""
    for name, content in tracked().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / PAGES / ".built").touch()  # the pages are newer than their source
    return folder


def build(source: Path, kind: str, out: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "-o", out, source]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **environment})
    [made] = out.iterdir()
    return made


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("packages")
    source = checkout(base / "source")
    sdist = build(source, "sdist", base / "sdist")
    with tarfile.open(sdist) as packed:
        packed.extractall(base / "unpacked", filter="data")
    [unpacked] = (base / "unpacked").iterdir()
    return {
        "sdist": sdist,
        "wheel": build(source, "wheel", base / "wheel"),
        "from sdist": build(unpacked, "wheel", base / "from-sdist", PATH=""),
    }


def tracked() -> dict[str, bytes]:
    """Return the files of the repository and the built pages, by path."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=CHECKOUT, text=True)
    pages = (path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / PAGES).rglob("*"))
    names = [*listed.split("\0"), *(name for name in pages if not name.endswith("/.built"))]
    files = [name for name in names if name and (CHECKOUT / name).is_file()]
    return {name: (CHECKOUT / name).read_bytes() for name in files}


def test_the_sdist_holds_the_repository_and_the_pages_file_by_file(packages):
    with tarfile.open(packages["sdist"]) as packed:
        inside = {
            member.name.partition("/")[2]: packed.extractfile(member).read()
            for member in packed.getmembers()
            if member.isfile()
        }
    assert inside.pop("PKG-INFO")
    assert inside == tracked()


def test_the_wheel_holds_the_package_file_by_file(packages):
    with zipfile.ZipFile(packages["wheel"]) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    described = {name.partition("/")[2] for name in inside if ".dist-info/" in name}
    assert described == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"),
    }
    package = {name: content for name, content in inside.items() if ".dist-info/" not in name}
    assert package == {
        name.removeprefix("src/"): content
        for name, content in tracked().items()
        if name.startswith("src/unround/")
    }


def test_the_pages_come_with_the_licences_of_what_is_inside():
    for page in ("console", "report"):
        text = (CHECKOUT / PAGES / page / "license.md").read_text("utf-8")
        assert "## react-dom" in text
        assert "Permission is hereby granted" in text


def test_the_sdist_builds_the_same_wheel_without_node(packages):
    assert packages["wheel"].read_bytes() == packages["from sdist"].read_bytes()


def test_an_sdist_without_pages_is_not_made(tmp_path):
    source = checkout(tmp_path / "source")
    shutil.rmtree(source / PAGES)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        build(source, "sdist", tmp_path, PATH="")
    assert b"Node 20 or newer was not found" in failed.value.stdout + failed.value.stderr


def test_no_file_names_a_package_registry():
    """Lock files of npm and uv write such addresses unless told not to."""
    named = re.compile(
        rb"https?://(?!pypi\.org/project/)[^/\s\"']*(?:pypi|pythonhosted|npmjs|registry|artifactory|nexus)"
    )
    found = [name for name, content in tracked().items() if named.search(content)]
    assert found == []


def test_every_file_names_the_same_version():
    """CONTRIBUTING.md says how a release changes it."""
    texts = {
        "CHANGELOG.md": r"^## (?!Unreleased)(\S+)",
        "CITATION.cff": r"^version: (\S+)",
        "web/openapi.json": r'"version": "([^"]+)"',
    }
    named = {
        name: re.search(pattern, (CHECKOUT / name).read_text("utf-8"), re.MULTILINE)[1]
        for name, pattern in texts.items()
    }
    assert named == dict.fromkeys(texts, unround.__version__)
