"""A tiny front end in place of the built one."""

from __future__ import annotations

from pathlib import Path

import pytest

from unround.report import pages


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A script and a style with everything in them that could break out of a page."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    script = 'const ends = "</script><!--";\r\nconst view = document.getElementById("view");\n'
    (folder / pages.SCRIPT).write_bytes(script.encode())
    (folder / pages.STYLE).write_bytes(b'p::after { content: "</style>"; }\n')
    return folder


@pytest.fixture
def built(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command finds that front end."""
    monkeypatch.setattr(pages, "BUNDLE", bundle)
    return bundle
