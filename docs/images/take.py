"""Take the pictures of the documents, in shipped rooms, with a real browser.

    python docs/images/take.py          all pictures
    python docs/images/take.py toast    toast.gif alone, which needs no browser

This needs the extras `dev` and `learned`, and a Chromium.  It runs sessions, starts
`tatc view`, and writes `toast.gif`, `view-list.png`, `view-session.png`, `view-two.png`,
`view-play.png` and `debug.png` beside itself.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
TATC = str(Path(sys.executable).with_name("tatc"))
SIZE = {"width": 1440, "height": 900}
SCREEN = {"width": 1848, "height": 1124}
ROOMS = ("kitchen-01", "kitchen-02", "kitchen-03", "kitchen-04")
COLOURS = 160  # of a picture: it stays below 200 kB


def main() -> None:
    """Take all pictures."""
    with TemporaryDirectory() as name:
        work = Path(name)
        _film(work)
        if sys.argv[1:] == ["toast"]:
            return
        rooms = [word for room in ROOMS for word in ("--room", room)]
        _run("eval", *rooms, "--out", "runs/rooms", work=work)
        for wording in ("actions", "goals"):
            words = ["--task", "breakfast", "--room", "kitchen-04", "--seed", "3"]
            words += ["--wording", wording, "--save", f"{wording}.game.json"]
            _run("run", *words, work=work)
        with _served(work) as address, sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=which("chromium"), args=["--no-sandbox"]
            )
            for take in (_list, _session, _two, _play):
                dark = take in (_two,)
                scheme = "dark" if dark else "light"
                page = browser.new_page(viewport=SIZE, color_scheme=scheme)
                take(page, address)
                page.wait_for_load_state("networkidle")
                _save(page.screenshot(), take.__name__.replace("_", "view-"))
                page.close()
            page = browser.new_page(viewport=SCREEN)
            page.goto((work / _drawn(work)).as_uri())
            _save(page.screenshot(), "debug")
            browser.close()


def _film(work: Path) -> None:
    """Film the learned Follower as it makes toast, told in steps."""
    words = ("--room", "kitchen-04", "--seed", "2", "--wording", "steps", "--follower", "et")
    _run("run", "toast", *words, "--save", "toast.game.json", work=work)
    look = ("--size", "280", "--fps", "2", "--force")
    _run("export", "toast.game.json", "--out", str(HERE / "toast.gif"), *look, work=work)


def _drawn(work: Path) -> str:
    """Draw the debugger's screen in the middle of a breakfast; return the file."""
    words = ("--task", "breakfast", "--room", "kitchen-04", "--save", "b.game.json")
    _run("run", *words, work=work)
    at = ("--record", "b.game.json", "--at", "72", "--picture", "debug.svg")
    _run("debug", *at, work=work)
    return "debug.svg"


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


@contextmanager
def _served(work: Path) -> Iterator[str]:
    words = [TATC, "view", "runs/rooms", "actions.game.json", "goals.game.json"]
    words += ["--save", "played"]
    with subprocess.Popen(words, cwd=work, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)


def _run(*words: str, work: Path) -> None:
    subprocess.run([TATC, *words], cwd=work, check=True, capture_output=True)


def _save(data: bytes, name: str) -> None:
    picture = Image.open(BytesIO(data)).convert("RGB").quantize(COLOURS)
    picture.save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
