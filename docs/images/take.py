"""Take the pictures of the documents, in shipped rooms, with a real browser.

    python docs/images/take.py          all pictures
    python docs/images/take.py toast    toast.gif alone, which needs no browser
    python docs/images/take.py belief   those of a Follower's belief alone

This needs the extras `dev` and `learned`, and a Chromium.  It runs sessions, starts
`tatc view`, and writes `toast.gif`, `view-list.png`, `view-session.png`, `view-two.png`,
`view-play.png`, `view-belief.png`, `view-listener.png`, `debug.png` and `debug-belief.png`
beside itself.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
TATC = str(Path(sys.executable).with_name("tatc"))
SIZE = {"width": 1440, "height": 900}
SCREEN = {"width": 1848, "height": 1124}
ROOMS = ("kitchen-01", "kitchen-02", "kitchen-03", "kitchen-04")
COLOURS = 160  # of a picture: it stays below 200 kB


def main() -> None:
    """Take all pictures."""
    wanted = sys.argv[1:]
    with TemporaryDirectory() as name:
        work = Path(name)
        if wanted != ["belief"]:
            _film(work)
        if wanted != ["toast"]:
            _take_belief(work)
        if not wanted:
            _take_sessions(work)


def _take_sessions(work: Path) -> None:
    """Take the pictures of a run, of two sessions, of playing, and of the debugger."""
    rooms = [word for room in ROOMS for word in ("--room", room)]
    _run("eval", *rooms, "--out", "runs/rooms", work=work)
    for wording in ("actions", "goals"):
        words = ["--task", "breakfast", "--room", "kitchen-04", "--seed", "3"]
        words += ["--wording", wording, "--save", f"{wording}.game.json"]
        _run("run", *words, work=work)
    breakfast = ("--task", "breakfast", "--room", "kitchen-04", "--save", "b.game.json")
    _run("run", *breakfast, work=work)
    with _browser() as browser:
        with _served(work, "runs/rooms", "actions.game.json", "goals.game.json") as address:
            for take in (_list, _session, _two, _play):
                _take_page(browser, address, take, dark=take is _two)
        _draw_debugger(browser, work, "b.game.json", 72, "debug")


def _take_belief(work: Path) -> None:
    """Take the pictures of a Follower's belief: on both pages, and in the debugger."""
    words = ("coffee", "--room", "kitchen-04", "--seed", "3", "--commander", "speaker")
    _run("run", *words, "--follower", "listener", "--save", "heard.game.json", work=work)
    with _browser() as browser:
        with _served(work, "heard.game.json") as address:
            for take in (_belief, _listener):
                _take_page(browser, address, take, dark=False)
        _draw_debugger(browser, work, "heard.game.json", 12, "debug-belief")


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        yield opened
        opened.close()


def _take_page(
    browser: Browser, address: str, take: Callable[[Page, str], None], *, dark: bool
) -> None:
    page = browser.new_page(viewport=SIZE, color_scheme="dark" if dark else "light")
    page.set_default_timeout(120_000)  # milliseconds
    take(page, address)
    if take is not _listener:  # its game goes on
        page.wait_for_load_state("networkidle")
    _save(page.screenshot(), take.__name__.replace("_", "view-"))
    page.close()


def _draw_debugger(browser: Browser, work: Path, record: str, at: int, name: str) -> None:
    """Draw the debugger's screen at a step of a record."""
    words = ("--record", record, "--at", str(at), "--picture", f"{name}.svg")
    _run("debug", *words, work=work)
    page = browser.new_page(viewport=SCREEN)
    page.goto((work / f"{name}.svg").as_uri())
    _save(page.screenshot(), name)
    page.close()


def _film(work: Path) -> None:
    """Film the learned Follower as it makes toast, told in steps."""
    words = ("--room", "kitchen-04", "--seed", "2", "--wording", "steps", "--follower", "et")
    _run("run", "toast", *words, "--save", "toast.game.json", work=work)
    look = ("--size", "280", "--fps", "2", "--force")
    _run("export", "toast.game.json", "--out", str(HERE / "toast.gif"), *look, work=work)


def _list(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#sessions tbody tr")


def _session(page: Page, address: str) -> None:
    page.goto(address)
    page.fill("#words", "actions.game")
    page.click("#sessions tbody a")
    page.wait_for_selector("#playback output")
    for _ in range(4):
        page.keyboard.press("g")


def _two(page: Page, address: str) -> None:
    _session(page, address)
    page.select_option("#beside", index=1)
    page.wait_for_selector(".duo .pane >> nth=1")


def _play(page: Page, address: str) -> None:
    page.goto(f"{address}play.html")
    page.select_option("select[name=room]", "kitchen-04")
    page.click("button[type=submit]")
    page.click("[data-do=ask]")
    page.wait_for_selector(".said.commander")
    for verb in ("Turn Left", "Turn Left", "Forward"):
        page.click(f".pad [data-verb='{verb}']")
    page.wait_for_timeout(1500)


def _belief(page: Page, address: str) -> None:
    page.goto(address)
    page.click("#sessions tbody a")
    page.wait_for_selector("#playback output")
    page.goto(f"{page.url.partition('#')[0]}#step=8")
    page.wait_for_selector(".mind .goal, .mind .lines")


def _listener(page: Page, address: str) -> None:
    page.goto(f"{address}play.html")
    page.check("input[value=commander]")
    page.select_option("select[name=room]", "kitchen-04")
    page.click("button[type=submit]")
    page.wait_for_selector(".said.follower")
    page.fill("[name=words]", "make me a cup of coffe please, the mug is on the table")
    page.press("[name=words]", "Enter")
    page.wait_for_selector(".mind .lines")
    page.wait_for_timeout(4000)


@contextmanager
def _served(work: Path, *sessions: str) -> Iterator[str]:
    words = [TATC, "view", *sessions, "--save", "played"]
    with subprocess.Popen(words, cwd=work, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.send_signal(signal.SIGINT)


def _run(*words: str, work: Path) -> None:
    subprocess.run([TATC, *words], cwd=work, check=True, capture_output=True)


def _save(data: bytes, name: str) -> None:
    picture = Image.open(BytesIO(data)).convert("RGB").quantize(COLOURS)
    picture.save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
