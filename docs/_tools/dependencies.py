"""Write LICENSES.md and sbom.cdx.json: what unround needs at run time, and what its pages are built of.

    python docs/_tools/dependencies.py

Versions are those of requirements.txt and web/package-lock.json. Licences are what the packages say of
themselves, read from the installed ones: on Python 3.11, with the extras `console` and `test`.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import unround

ROOT = Path(__file__).parents[2]
EXTRAS = ("console", "openreview", "lab", "cluster")
# A licence, or each part of it that is joined by AND, starts with one of these words.
PERMISSIVE = (
    *("0BSD", "Apache", "BSD", "CC0-1.0", "ISC", "MIT", "PSF", "Public Domain", "Python Software"),
    "Zlib",
)
# Windows alone needs colorama, for colours.
PINNED = re.compile(r"^([\w.-]+)==([^\s;\\]++)(?! ; sys_platform == 'win32')", re.MULTILINE)
LONGEST = 40  # characters of a licence's name; the field may hold its whole text
HEAD = """# Licences of what unround uses

unround itself is under the [MIT licence](LICENSE). Written by `make lock`: the packages of
`requirements.txt`, with the licence that each states, and those that the pages are built from. All are
permissive, but for those marked *, whose files stay under the Mozilla Public License; only the extra
`openreview` needs them.

"""


@dataclass(frozen=True)
class Package:
    """A package with its licence, and the extras that need it; none where unround always does."""

    name: str
    version: str
    licence: str
    purl: str
    extras: tuple[str, ...] = ()
    sha512: str = ""

    @property
    def is_permissive(self) -> bool:
        """Whether one of the licences to choose from asks for no more than a notice."""
        return any(
            all(part.startswith(PERMISSIVE) for part in re.split(r" AND |, ", choice))
            for choice in self.licence.split(" OR ")
        )


def python_packages() -> list[Package]:
    """Return the packages of requirements.txt."""
    pinned = PINNED.findall((ROOT / "requirements.txt").read_text("utf-8"))
    by_extra = {extra: set(needed(extra)) for extra in ("", *EXTRAS)}
    return [
        Package(
            name,
            version,
            _licence(name),
            f"pkg:pypi/{name}@{version}",
            extras=() if name in by_extra[""] else tuple(e for e in EXTRAS if name in by_extra[e]),
        )
        for name, version in ((canonicalize_name(name), version) for name, version in pinned)
    ]


def bundled_packages() -> list[Package]:
    """Return the packages of JavaScript whose code is in the built pages."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    bundled = {
        path.removeprefix("node_modules/"): package
        for path, package in lock.items()
        if path and not {"dev", "devOptional", "optional", "peer"} & package.keys()
    }
    return [
        Package(
            name,
            package["version"],
            package["license"],
            f"pkg:npm/{name.replace('@', '%40')}@{package['version']}",
            sha512=base64.b64decode(package["integrity"].removeprefix("sha512-")).hex(),
        )
        for name, package in bundled.items()
    ]


def needed(extra: str) -> Iterator[str]:
    """Yield the packages that unround needs with an extra, and those that they need in turn."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else ())]
    seen, todo = set[str](), [Requirement(text) for text in texts]
    while todo:
        wanted = todo.pop()
        name = canonicalize_name(wanted.name)
        if name not in seen:
            seen.add(name)
            yield name
            further = map(Requirement, distribution(name).requires or ())
            todo += [one for one in further if _applies(one, wanted.extras)]


def _applies(requirement: Requirement, extras: set[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras or {""})


def _licence(name: str) -> str:
    """Return the licence that an installed package states."""
    said = distribution(name).metadata
    expressions = said.get_all("License-Expression") or []
    short = [text for text in said.get_all("License") or () if 0 < len(text) <= LONGEST]
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or ()
        if line.startswith("License :: ")
    ]
    return ", ".join(expressions or short or classifiers)


def licence_table() -> str:
    """Return LICENSES.md."""
    rows = [
        f"| {one.name} | {one.version} | {one.licence}{'' if one.is_permissive else ' *'} | {need} |"
        for one, need in (
            *((one, ", ".join(one.extras) or "always") for one in python_packages()),
            *((one, "in the pages") for one in bundled_packages()),
        )
    ]
    return HEAD + "\n".join(
        ["| package | version | licence | needed |", "|---|---|---|---|", *rows, ""]
    )


def bill_of_materials() -> str:
    """Return the same in the format CycloneDX, which goes into the wheel."""
    own = Package("unround", unround.__version__, "MIT", f"pkg:pypi/unround@{unround.__version__}")
    parts = [*bundled_packages(), *python_packages()]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**_component(own), "type": "application"}},
        "components": [_component(one) for one in parts],
        "dependencies": [{"ref": own.purl, "dependsOn": sorted(one.purl for one in parts)}],
    }
    return json.dumps(bill, indent=1) + "\n"


def _component(package: Package) -> dict[str, Any]:
    hashes = [{"alg": "SHA-512", "content": package.sha512}] if package.sha512 else []
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "scope": "optional" if package.extras else "required",
        "licenses": [{"license": {"name": package.licence}}],
        **({"hashes": hashes} if hashes else {}),
    }


FILES = {"LICENSES.md": licence_table, "sbom.cdx.json": bill_of_materials}

if __name__ == "__main__":
    for name, content in FILES.items():
        (ROOT / name).write_text(content(), encoding="utf-8")
