"""Measure the chair's pages of a large conference in Chromium, into PAGES.md.

    python -m benchmarks.pages                        this tree
    python -m benchmarks.pages --beside OTHER_TREE    and another one, built, in a second column

A conference as `tests.e2e.large` makes it is served on this computer; every time is by the page's own
clock, from the event to the frame after the change is drawn.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import httpx2
import numpy as np
from playwright.sync_api import Page, sync_playwright
from tests.e2e import large

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("PAGES.md")
LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter#[\w-]+")
TIMES = 5
# What is measured, and the most that it may take.
TARGETS = {
    "first rows, s": 1.0,
    "sort, ms": 150.0,
    "move the line, ms": 100.0,
    "scroll, ms a frame": 20.0,
    "check of the files, s": 5.0,
}
# Does something, and resolves with the milliseconds until what is read has changed and is drawn.
TIMED = """async ([act, read]) => {
    const frame = () => new Promise(requestAnimationFrame);
    const [run, look] = [new Function(act), new Function('return ' + read)];
    await frame();
    const before = look();
    const start = performance.now();
    run();
    while (look() === before && performance.now() - start < 20000) await frame();
    await frame();
    return performance.now() - start;
}"""
FIRST_ROW = """document.querySelector('table[aria-label="Papers"] tbody th a')?.textContent"""
SCROLLED = """async (frames) => {
    const box = document.querySelector('table[aria-label="Papers"]').parentElement;
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame++) {
        box.scrollTop += 400;
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    box.scrollTop = 0;
    return times;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=__doc__)
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--beside", type=Path, help="another tree, with its pages built")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    trees = {"before": chosen.beside, "now": ROOT} if chosen.beside else {"now": ROOT}
    with tempfile.TemporaryDirectory(prefix="unround-pages-") as folder:
        files = large.write(Path(folder) / "files", chosen.papers)
        found = {
            name: measure(tree, Path(folder) / name, files, chosen.papers // 4)
            for name, tree in trees.items()
        }
    text = report(found, chosen.papers)
    chosen.output.write_text(text, "utf-8")
    print(text)


def measure(tree: Path, data: Path, files: list[Path], room: int) -> dict[str, float]:
    """Serve a tree's console, bring the conference in, and time its pages."""
    with served(tree, data) as link:
        url = link.partition("/enter")[0]
        with httpx2.Client(
            base_url=f"{url}/api/", headers={"X-Unround": "1"}, timeout=300
        ) as chair:
            run, check = host(chair, link, files)
        with sync_playwright() as play:
            browser = play.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(60_000)
            page.goto(link)
            page.get_by_role("link", name="unround").wait_for()
            page.wait_for_timeout(1000)
            address = f"{url}/r/{run}?accept={room}"
            found = {"first rows, s": median(first_rows(page, address) for _ in range(TIMES))}
            found |= {**interactions(page, room), "check of the files, s": check}
            browser.close()
    return found


@contextmanager
def served(tree: Path, data: Path) -> Iterator[str]:
    """A tree's console; the chair's link."""
    process = subprocess.Popen(
        [sys.executable, "-m", "unround", "serve", "--port", "0", "--data", str(data)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tree,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(tree / "src")},
    )
    assert process.stdout is not None
    try:
        yield next(found.group() for line in process.stdout if (found := LINK.search(line)))
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


def host(chair: httpx2.Client, link: str, files: list[Path]) -> tuple[str, float]:
    """Upload, check and run; return the run's id and the seconds of the check."""

    def send(path: str, body: Any = None, method: str = "POST", **more: Any) -> Any:
        answer = chair.request(method, path, json=body, **more).raise_for_status()
        return answer.json() if answer.content else None

    def finished(path: str) -> Any:
        while (job := send(path, method="GET"))["status"] in ("queued", "running", "waiting"):
            time.sleep(0.1)
        assert job["status"] == "done", job
        return job

    send("enter", {"secret": link.partition("#")[2]})
    home = f"conferences/{send('conferences', {'name': 'Large'})['id']}"
    ids = [
        send(f"{home}/files", params={"name": path.name}, content=path.read_bytes())["id"]
        for path in files
    ]
    wanted = {"files": ids, "method": {"conflicts": "rankings"}}
    started = time.perf_counter()
    finished(f"checks/{send(f'{home}/checks', wanted)['id']}")
    check = time.perf_counter() - started
    run = send(f"{home}/runs", {**wanted, "name": "Large", "uncertainty": True})["id"]
    finished(f"runs/{run}")
    return run, check


def first_rows(page: Page, address: str) -> float:
    """Seconds from asking for the address to the frame after the first rows are there."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    page.get_by_role("table", name="Papers").get_by_role("rowheader").first.wait_for()
    drawn = "new Promise(r => requestAnimationFrame(() => r(performance.now() / 1000)))"
    return float(page.evaluate(drawn))


def interactions(page: Page, room: int) -> dict[str, float]:
    """Milliseconds of sorting, of moving the line, and of the frames of scrolling."""
    page.wait_for_timeout(1000)
    head = """[...document.querySelectorAll('thead th')].find(h => h.textContent.startsWith('NAME'))
        .querySelector('button').click()"""
    names = ["Track", "Mean", "Title", "Paper", "Title", "Mean"]
    sorts = [
        page.evaluate(TIMED, [re.sub("NAME", name, head), FIRST_ROW]) for name in (*names, *names)
    ][len(names) :]
    page.goto(page.url.split("?")[0] + f"?accept={room}")
    page.get_by_role("table", name="Papers").get_by_role("rowheader").first.wait_for()
    page.wait_for_timeout(1000)
    put = """const field = [...document.querySelectorAll('input')].find(
            (i) => i.closest('label')?.textContent.startsWith('Accept'));
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'ROOM');
        field.dispatchEvent(new Event('input', {bubbles: true}))"""
    around = "document.querySelector('main').textContent"
    lines = [
        page.evaluate(TIMED, [re.sub("ROOM", str(room + 10 * step), put), around])
        for step in range(1, 2 * TIMES)
    ][2:]
    frames = page.evaluate(SCROLLED, 120)[10:]
    return {
        "sort, ms": median(sorts),
        "move the line, ms": median(lines),
        "scroll, ms a frame": float(np.mean(frames)),
    }


def report(found: dict[str, dict[str, float]], papers: int) -> str:
    columns = list(found)
    lines = [
        "# The chair's pages of a large conference",
        "",
        f"{papers:,} papers, {4 * papers:,} reviews, 8 tracks, a line at {papers // 4:,}, in Chromium at",
        "1440 × 900. Medians (scrolling: the mean of 110 frames), server and browser on the same cores.",
        "Written by `python -m benchmarks.pages`; *before* is the tree given by `--beside`.",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}.",
        "",
        f"| | {' | '.join(columns)} | at most |",
        f"|---|{'---:|' * (len(columns) + 1)}",
    ]
    for name, most in TARGETS.items():
        values = [found[column][name] for column in columns]
        shown = " | ".join(f"{value:.2f}" if most < 10 else f"{value:.0f}" for value in values)
        verdict = "" if values[-1] <= most else " **not reached**"
        lines.append(f"| {name} | {shown} | {most:g}{verdict} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
