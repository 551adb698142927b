"""sdist and wheel: the same bytes whenever they are built, and installed without Node."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
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
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=CHECKOUT, text=True)
    pages = [path for path in (CHECKOUT / PAGES).rglob("*") if path.is_file()]
    names = [Path(name) for name in listed.split("\0") if name]
    for name in (*names, *(path.relative_to(CHECKOUT) for path in pages)):
        if (CHECKOUT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(CHECKOUT / name, folder / name)
    (folder / PAGES / ".built").touch()  # the pages are newer than their source
    return folder


def build(source: Path, kind: str, out: Path) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "-o", out, source]
    subprocess.run(command, check=True, capture_output=True)
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


def test_both_hold_the_built_pages(packages):
    pages = {
        path.relative_to(CHECKOUT / "src").as_posix()
        for path in (CHECKOUT / PAGES).rglob("*")
        if path.is_file() and path.name != ".built"
    }
    assert pages
    assert pages <= set(zipfile.ZipFile(packages["wheel"]).namelist())
    with tarfile.open(packages["sdist"]) as packed:
        inside = {name.partition("/")[2].removeprefix("src/") for name in packed.getnames()}
    assert pages <= inside


def test_the_sdist_builds_the_same_wheel(packages):
    assert packages["wheel"].read_bytes() == packages["from sdist"].read_bytes()


def test_built_again_elsewhere_they_are_the_same_bytes(packages, tmp_path):
    """Another folder, other times and permissions of files."""
    source = checkout(tmp_path / "elsewhere" / "other")
    for path in source.rglob("*.py"):
        path.chmod(0o600)
    assert build(source, "sdist", tmp_path / "sdist").read_bytes() == packages["sdist"].read_bytes()
    assert build(source, "wheel", tmp_path / "wheel").read_bytes() == packages["wheel"].read_bytes()


def test_an_sdist_without_pages_is_not_made(tmp_path):
    source = checkout(tmp_path / "source")
    shutil.rmtree(source / PAGES)
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "-o", tmp_path, source]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode
    assert "Node 20 or newer was not found" in done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_it_is_installed_without_node_and_works(packages, tmp_path, kind):
    """In an environment with the packages that unround depends on, and no Node on the path."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    [site] = environment.glob("lib/python*/site-packages")
    others = Path(numpy_file()).parents[1]
    (site / "others.pth").write_text(f"{others}\n")
    python = environment / "bin" / "python"
    plain = {"PATH": str(environment / "bin"), "HOME": str(tmp_path)}
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-index",
        "--no-deps",
    ]
    subprocess.run(
        [*install, "--no-build-isolation", "--quiet", packages[kind]], check=True, env=plain
    )
    made = unround.simulate.thurstone(papers=8, seed=1)
    run = unround.dequantize(made.reviews, made.rankings, lam=2.0).save(tmp_path / "run")
    page = tmp_path / "page.html"
    subprocess.run(
        [environment / "bin" / "unround", "report", run, "-o", page],
        check=True,
        env=plain,
        cwd=tmp_path,
        capture_output=True,
    )
    assert page.read_text("utf-8").startswith("<!doctype html>")
    where = "import unround; print(unround.__file__)"
    shown = subprocess.check_output([python, "-c", where], env=plain, text=True)
    assert Path(shown.strip()).is_relative_to(environment)


def numpy_file() -> str:
    import numpy

    return numpy.__file__
