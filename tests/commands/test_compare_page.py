"""The page of `tatc compare` in a real browser, from disk: commands, table, both replays."""

import re
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from tests.command_line import run_tatc

playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs playwright, of the extra: dev"
)
CHROMIUM = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")


def _steps(page: Any) -> tuple[int, int]:
    found = re.match(r"step (\d+) of (\d+)", page.inner_text("#playback output"))
    assert found is not None
    return int(found[1]), int(found[2])


def test_a_comparison_opens_what_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "it's here"
    folder.mkdir()
    words = ("--room", "kitchen-01", "--tasks", "coffee,114", "--seeds", "1")
    html = Path("it's here", "both.html")
    compared = run_tatc("compare", "rule,pddl,random", *words, "--out", "o", "--html", html)
    assert compared.exit_code == 0
    faults: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for width in (1280, 390):
            page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
            page.on("pageerror", lambda fault: faults.append(str(fault)))
            page.on("requestfailed", lambda asked: faults.append(asked.url))
            page.goto((folder / "both.html").as_uri())
            command = page.locator("code.command").last.inner_text()
            assert command.startswith(f"cd {tmp_path} && tatc debug --record '")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            rows = page.locator("#sessions tbody tr")
            page.fill("#words", "coffee")
            assert rows.locator("visible=true").count() == 1
            page.fill("#words", "")
            page.select_option("#which", "all")
            assert rows.locator("visible=true").count() == 0
            page.select_option("#which", "uneven")
            assert page.inner_text("#count") == "2 of 2 sessions"
            page.click("#sessions th:nth-child(5) button")
            actions = page.locator("#sessions td:nth-child(5)").all_inner_texts()
            assert actions == sorted(actions, key=int)
            # Both begin at the first step that differs, and reach what both met at one step.
            page.click("#sessions a:has-text('see both')")
            page.wait_for_selector("#playback output")
            at, last = _steps(page)
            assert 0 < at < last
            heads = page.locator(".pane .head p").all_inner_texts()
            assert "rule (actions)" in heads[0] and "pddl + rule (actions)" in heads[1]
            page.keyboard.press("End")
            assert re.search(r"(\d)/\1 \| \1/\1 goal", page.inner_text("#playback output"))
            met = set[str]()
            for _ in range(last):
                page.keyboard.press("G")
                met.add(page.inner_text("#playback output").partition("· ")[2])
            assert all(one.split(" | ")[0] == one.split(" | ")[1].split()[0] for one in met)
        browser.close()
    assert faults == []
