"""Fetch, compute, push and fetch again on a site that runs: python -m tests.formats.systems.running ADDRESS

The token is taken from HOTCRP_TOKEN or PRETALX_TOKEN. The site is changed: use a test site.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.formats.systems import live_site
from unround.formats.live import live_address


def call(*words: object) -> str:
    """Run a command, and return what it prints; stop if it fails."""
    ended = live_site.call(*words)
    print(" ".join(["$ unround", *map(str, words)]), ended.output, sep="\n")
    if ended.exit_code:
        raise SystemExit(ended.exit_code)
    return ended.output


def main(text: str, *options: str) -> None:
    """Check that a push sets what was computed, and that the same push again changes nothing."""
    address = live_address(text)
    assert address is not None, f"{text} is no address such as hotcrp+https://host/conference"
    with TemporaryDirectory() as folder:
        results = [Path(folder, name) for name in ("first", "second")]
        export = "export", results[0], "--to", address.system, "--post", text
        call("run", text, "--conflicts", "scores", "--quiet", *options, "-o", results[0])
        call(*export, "--dry-run")
        call(*export)
        assert "would change: nothing" in call(*export, "--dry-run"), "a second push changes values"
        call("run", text, "--conflicts", "scores", "--quiet", *options, "-o", results[1])
        first, second = ((path / "scores.csv").read_bytes() for path in results)
        assert first == second, "a push changes what is fetched"
    print("fetched, pushed and fetched again: no difference")


if __name__ == "__main__":
    main(*sys.argv[1:])
