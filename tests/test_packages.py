"""sdist and wheel: the files of the repository and the built pages, the same bytes whenever they are
built, installed without Node; and what they depend on.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
from packaging.utils import canonicalize_name

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
        "from sdist": build(unpacked, "wheel", base / "from-sdist"),
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
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt"),
        *("licenses/LICENSE", "sboms/sbom.cdx.json"),
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


def test_the_sdist_builds_the_same_wheel(packages):
    assert packages["wheel"].read_bytes() == packages["from sdist"].read_bytes()


def test_built_again_elsewhere_they_are_the_same_bytes(packages, tmp_path, request):
    """Another folder, even an ignored one, other times and permissions of files, another umask."""
    source = checkout(tmp_path / "build" / "other")
    for ignored in (".venv", ".mypy_cache", "dist", "src/unround/__pycache__", "web/node_modules"):
        (source / ignored).mkdir()
        (source / ignored / "one.py").touch()
    (source / "web/src/api/schema.ts").touch()
    for path in source.rglob("*.py"):
        path.chmod(0o600)
        os.utime(path, (1, 1))
    before = os.umask(0o077)
    request.addfinalizer(lambda: os.umask(before))
    assert build(source, "sdist", tmp_path / "sdist").read_bytes() == packages["sdist"].read_bytes()
    assert build(source, "wheel", tmp_path / "wheel").read_bytes() == packages["wheel"].read_bytes()


def test_an_sdist_without_pages_is_not_made(tmp_path):
    source = checkout(tmp_path / "source")
    shutil.rmtree(source / PAGES)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        build(source, "sdist", tmp_path, PATH="")
    assert b"Node 20 or newer was not found" in failed.value.stdout + failed.value.stderr


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_it_is_installed_without_node_and_works(packages, tmp_path, kind):
    """In an environment with the packages that unround depends on, and no Node on the path."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    [site] = environment.glob("lib/python*/site-packages")
    others = Path(numpy.__file__).parents[1]
    (site / "others.pth").write_text(f"{others}\n")
    python = environment / "bin" / "python"
    plain = {"PATH": str(environment / "bin"), "HOME": str(tmp_path)}
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "install"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, *offline, packages[kind]], check=True, env=plain)
    made = unround.simulate.thurstone(papers=8, seed=1)
    run = unround.dequantize(made.reviews, made.rankings, lam=2.0).save(tmp_path / "run")
    page = tmp_path / "page.html"
    report = [environment / "bin" / "unround", "report", run, "-o", page]
    subprocess.run(report, check=True, env=plain, cwd=tmp_path, capture_output=True)
    assert page.read_text("utf-8").startswith("<!doctype html>")
    where = "import unround; print(unround.__file__)"
    shown = subprocess.check_output([python, "-c", where], env=plain, text=True)
    assert Path(shown.strip()).is_relative_to(environment)


TOOL = SimpleNamespace(**runpy.run_path(str(CHECKOUT / "docs/_tools/dependencies.py")))
LOCKED = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="requirements.txt is made on Python 3.11"
)


@LOCKED
def test_everything_that_is_needed_is_locked_with_hashes():
    """`make lock` writes it anew after a change of dependencies or constraints."""
    texts = [
        (CHECKOUT / f"{name}.txt").read_text("utf-8") for name in ("requirements", "constraints")
    ]
    locked, tested = (
        {canonicalize_name(name): version for name, version in TOOL.PINNED.findall(text)}
        for text in texts
    )
    assert {name for extra in ("", *TOOL.EXTRAS) for name in TOOL.needed(extra)} == locked.keys()
    assert locked == {name: tested[name] for name in locked}
    for package in re.split(r"\n(?=\w)", texts[0])[1:]:
        assert "--hash=sha256:" in package, package.partition(" ")[0]


@LOCKED
def test_licences_are_permissive_and_listed():
    copyleft = [one for one in TOOL.python_packages() if not one.is_permissive]
    assert {one.extras for one in copyleft} <= {("openreview",)}, copyleft
    assert all("MPL" in one.licence or "Mozilla" in one.licence for one in copyleft), copyleft
    assert all(one.is_permissive for one in TOOL.bundled_packages())
    for name, content in TOOL.FILES.items():
        assert (CHECKOUT / name).read_text("utf-8") == content(), "run: make lock"


@pytest.mark.parametrize(
    ("licence", "permissive"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND MIT", True),
        ("GPL-3.0-or-later", False),
        ("MIT AND GPL-2.0-only", False),
        ("LGPL-2.1-or-later OR Apache-2.0", True),
        ("", False),
    ],
)
def test_what_is_permissive(licence, permissive):
    assert TOOL.Package("one", "1", licence, "").is_permissive == permissive


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
        "sbom.cdx.json": r"pkg:pypi/unround@([^\"]+)",
    }
    named = {
        name: re.search(pattern, (CHECKOUT / name).read_text("utf-8"), re.MULTILINE)[1]
        for name, pattern in texts.items()
    }
    assert named == dict.fromkeys(texts, unround.__version__)
