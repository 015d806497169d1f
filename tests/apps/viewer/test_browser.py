"""The real pages, in a real browser, from the real command."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from time import monotonic
from typing import Any

import pytest

from tatc.language import Stretch, TaskDone, hear
from tatc.session.records import read_record

playwright = pytest.importorskip(
    "playwright.sync_api", reason="needs playwright, of the extra: dev"
)

CHROMIUM = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")
PICTURES_ARE_SEEN = "[...document.querySelectorAll('.view img')].every(i => i.naturalWidth > 9)"
WIDTH = "document.documentElement.scrollWidth"
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("played")


@pytest.fixture(scope="module")
def address(run_folder: Path, record: Path, saved: Path) -> Iterator[str]:
    """Return where `tatc view` serves a run and a record; it ends by Ctrl-C."""
    tatc = str(Path(sys.executable).with_name("tatc"))
    words = [tatc, "view", str(run_folder), str(record)]
    words += ["--save", str(saved), "--pace", "0.02"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) in (0, 130)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """Return a page that may ask nothing of others and must run without a fault."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.set_default_timeout(60_000)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("request", lambda asked: _own(asked.url, address, faults))
    yield page
    context.close()
    assert faults == []


def _own(url: str, address: str, faults: list[str]) -> None:
    if not url.startswith((address, "data:", "blob:")):
        faults.append(f"asks for {url}")


def wait(page: Any, holds: str) -> None:
    """Wait until an expression holds; the page's own policy forbids it to evaluate."""
    end = monotonic() + 60
    while not page.evaluate(holds):
        assert monotonic() < end, f"not in 60 s: {holds}"
        page.wait_for_timeout(15)


def count(page: Any, selector: str) -> int:
    return page.locator(selector).count()


def test_a_run_is_listed_and_filtered(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#sessions tbody tr")
    assert count(page, "#sessions tbody tr") == 5
    page.fill("#words", "water")
    assert count(page, "#sessions tbody tr") == 2
    assert "2 of 5 sessions" in page.inner_text("#count")
    page.reload()
    page.wait_for_selector("#sessions tbody tr")
    assert count(page, "#sessions tbody tr") == 2, "a filter survives a reload"
    page.click("#clear")
    page.select_option("#end", "failure")
    assert page.is_visible("#none") and count(page, "#sessions tbody tr") == 0
    page.select_option("#end", "success")
    page.click("#tasks button:has-text('Coffee')")
    assert count(page, "#sessions tbody tr") == 3
    page.click("#sessions th button:has-text('Actions')")
    actions = [int(n) for n in page.locator("td.actions").all_inner_texts()]
    assert actions == sorted(actions, reverse=True)


def test_a_session_is_scrubbed(page: Any, address: str, record: Path) -> None:
    steps = len(read_record(record).interactions)
    page.goto(address)
    page.click("#sessions tbody tr:last-child a")
    page.wait_for_selector("#playback output")
    told = page.locator("#playback output")
    assert told.inner_text().startswith(f"step 0 of {steps}")
    page.keyboard.press("ArrowRight")
    assert told.inner_text().startswith("step 1 ") and page.url.endswith("#step=1")
    page.keyboard.press("End")
    assert "3/3" in told.inner_text()
    assert page.inner_text(".progress h2").endswith("3 of 3")
    assert count(page, ".said .later") == 0
    page.keyboard.press("f")
    assert told.inner_text().startswith(f"step {steps} "), "nothing has failed"
    page.evaluate("document.querySelector('#playback input').value = 5")
    page.dispatch_event("#playback input", "input")
    assert told.inner_text().startswith("step 5 ")
    wait(page, PICTURES_ARE_SEEN)
    body = page.get_attribute(".agent.follower", "transform")
    page.keyboard.press("Home")
    page.keyboard.press("g")
    assert page.get_attribute(".agent.follower", "transform") != body
    page.click(".chip >> nth=-1")
    assert not told.inner_text().startswith("step 5 ")


def test_the_home_is_seen_in_three_dimensions(browser: Any, site: Path) -> None:
    page = browser.new_page(viewport=DESK)
    page.set_default_timeout(120_000)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.on("request", lambda asked: _own(asked.url, "file:", faults))
    page.goto((site / "session.html").as_uri())
    page.wait_for_selector(".legend")
    assert "action failed" in page.inner_text(".legend")
    canvas = page.locator(".home canvas")
    assert page.is_visible(".map") and canvas.is_visible()
    page.keyboard.press("3")
    assert not page.is_visible(".map")
    page.wait_for_selector(".names .follower")
    start = canvas.screenshot()
    page.keyboard.press("End")
    wait(page, "document.querySelector('.names .commander')")
    assert canvas.screenshot() != start
    canvas.click()
    assert "|" in page.inner_text(".home .card code"), "the id of what was clicked on"
    assert "step" in page.inner_text(".home .card") or "start" in page.inner_text(".home .card")
    page.click(".card button")
    assert not page.is_visible(".home .card")
    side = canvas.screenshot()
    page.click("[data-camera=eyes]")
    wait(
        page, "document.querySelector('[data-camera=eyes]').getAttribute('aria-pressed') == 'true'"
    )
    assert canvas.screenshot() != side
    page.close()
    assert faults == []


def test_without_webgl_the_plan_is_shown_and_a_line_says_why(browser: Any, site: Path) -> None:
    page = browser.new_page(viewport=PHONE)
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto((site / "session.html").as_uri())
    page.wait_for_selector(".layouts p")
    assert page.inner_text(".layouts") == "This browser has no WebGL 2, so only the plan is shown."
    assert page.is_visible(".map") and not page.is_visible(".home")
    assert page.evaluate(WIDTH) <= PHONE["width"]
    page.close()


def test_a_link_leads_to_a_step_and_two_stand_side_by_side(page: Any, address: str) -> None:
    page.goto(address)
    page.click("#sessions tbody tr:last-child a")
    page.wait_for_selector("#beside option:nth-child(2)", state="attached")
    page.goto(f"{page.url.partition('#')[0]}#step=7")
    page.reload()
    page.wait_for_selector("#playback output")
    assert page.inner_text("#playback output").startswith("step 7 ")
    page.select_option("#beside", index=1)
    page.wait_for_selector(".duo .pane >> nth=1")
    assert count(page, ".pane .map") == 2
    assert page.inner_text("#playback output").startswith("step 7 ")
    page.keyboard.press("End")
    assert page.locator(".progress .number").all_inner_texts() == ["3 of 3"] * 2


def test_a_phone_is_wide_enough(page: Any, address: str) -> None:
    page.set_viewport_size(PHONE)
    for path, shows in (("play.html", "form.setup"), ("", "#sessions tbody tr")):
        page.goto(address + path)
        page.wait_for_selector(shows)
        assert page.evaluate(WIDTH) <= PHONE["width"], path
    page.click("#sessions tbody tr:last-child a")
    page.wait_for_selector("#playback output")
    assert page.evaluate(WIDTH) <= PHONE["width"]


def moment(page: Any) -> int:
    return int(page.get_attribute("body", "data-moment") or -1)


def wait_past(page: Any, before: int) -> None:
    wait(page, f"Number(document.body.dataset.moment) > {before}")


def begin_game(page: Any, address: str, part: str, partner: str = "rule") -> None:
    page.goto(f"{address}play.html")
    page.check(f"input[value={part}]")
    page.select_option("select[name=task]", "Coffee")
    page.select_option("select[name=room]", "kitchen-01")
    if part == "follower":
        page.select_option("select[name=wording]", "actions")
    else:
        page.select_option("select[name=partner]", partner)
    page.click("button[type=submit]")
    page.wait_for_selector("body[data-moment]")


def test_a_person_follows_to_success_by_clicks_and_reloads_in_between(
    page: Any, address: str, saved: Path
) -> None:
    begin_game(page, address, "follower")
    for turn in range(30):
        said = count(page, ".said.commander")
        page.click("[data-do=ask]")
        page.locator(".said.commander").nth(said).wait_for()
        meaning = hear(page.locator(".said.commander").nth(said).get_attribute("data-words"))
        if not isinstance(meaning, Stretch):
            break
        if turn == 1:
            _reload(page)
        for step in meaning.steps:
            before = moment(page)
            if step.click is None:
                page.click(f".pad [data-verb='{step.verb}']")
            else:
                _click(page, step.verb, step.click.x, step.click.y, turn)
            wait_past(page, before)
    assert isinstance(meaning, TaskDone)
    page.wait_for_selector(".banner.good")
    page.click(".banner a:has-text('step by step')")
    page.wait_for_selector("#playback output")
    page.keyboard.press("End")
    assert page.inner_text(".progress h2").endswith("3 of 3")
    record = read_record(_newest(saved))
    assert record.success and dict(record.options)["follower"] == "person"


def _newest(folder: Path) -> Path:
    return max(folder.glob("*.game.json"), key=lambda path: path.stat().st_mtime_ns)


def _click(page: Any, verb: str, x: float, y: float, turn: int) -> None:
    """Click on a thing: with a verb chosen before, or from the menu that it opens."""
    box = page.locator(".view.follower img").bounding_box()
    at = (box["x"] + (x + 0.0005) * box["width"], box["y"] + (y + 0.0005) * box["height"])
    if turn % 2:
        page.mouse.click(*at)
        page.click(f".menu [data-verb='{verb}']")
        return
    button = page.locator(f".verbs [data-verb='{verb}']")
    if button.get_attribute("aria-pressed") == "false":
        button.click()
    page.mouse.click(*at)


def _reload(page: Any) -> None:
    before, said = moment(page), page.locator(".said p").all_inner_texts()
    page.reload()
    wait(page, f"document.body.dataset.moment == {before}")
    assert page.locator(".said p").all_inner_texts() == said


def test_a_person_commands_the_rule_follower(page: Any, address: str, saved: Path) -> None:
    begin_game(page, address, "commander")
    page.click("[data-do=check]")
    page.wait_for_selector(".progress .goals li")
    assert page.inner_text(".progress h2").endswith("2 of 3")
    page.fill("input[name=find]", "Mug")
    page.keyboard.press("Enter")
    page.wait_for_selector(".view.target:not([hidden])")
    assert "Mug" in page.inner_text(".console")
    page.click(".progress .goals button")
    before = moment(page)
    page.click(".pad [data-verb='Forward']")
    wait_past(page, before)
    for _ in range(30):
        page.wait_for_selector("body:not(.waiting)")
        page.click("[data-do=suggest]")
        wait(page, "document.querySelector('[name=words]').value")
        done = isinstance(hear(page.input_value("[name=words]")), TaskDone)
        before = moment(page)
        page.press("[name=words]", "Enter")
        wait_past(page, before)
        if done:
            break
        wait(
            page,
            "document.querySelectorAll('.said.follower').length"
            " > document.querySelectorAll('.said.commander').length",
        )
    page.wait_for_selector(".banner.good")
    record = read_record(_newest(saved))
    assert record.success and dict(record.options)["commander"] == "person"


def test_a_person_commands_the_listener_in_words_and_sees_its_belief(
    page: Any, address: str, saved: Path
) -> None:
    begin_game(page, address, "commander", "listener")
    assert page.is_hidden("[data-do=suggest]")
    page.wait_for_selector(".said.follower")
    page.fill("[name=words]", "make a plate of toast, please")
    page.press("[name=words]", "Enter")
    page.wait_for_selector(".mind .lines:has-text('toast: 1 toasted slice')")
    page.fill("[name=words]", "sorry, not toast, make me a cup of coffee")
    page.press("[name=words]", "Enter")
    page.wait_for_selector(".mind .lines:has-text('coffee in 1 clean mug')")
    assert count(page, ".map .unknown path") == 1 and count(page, ".map .thing.loose") > 5
    page.wait_for_selector(".said.follower p:has-text('done this: coffee in 1 clean mug')")
    page.on("dialog", lambda asked: asked.accept())
    page.click("[data-do=finish]")
    page.wait_for_selector(".banner.good")
    assert dict(read_record(_newest(saved)).options)["follower"] == "listener"
    page.click(".banner a:has-text('step by step')")
    page.wait_for_selector("#playback output")
    page.keyboard.press("End")
    assert "coffee in 1 clean mug" in page.inner_text(".mind")
    maps = page.locator(".map")
    assert [maps.nth(0).is_visible(), maps.nth(1).is_visible()] == [True, False]
    page.keyboard.press("b")
    assert [maps.nth(0).is_visible(), maps.nth(1).is_visible()] == [False, True]
    page.set_viewport_size(PHONE)
    assert page.evaluate(WIDTH) <= PHONE["width"]


def test_two_people_in_two_browsers(browser: Any, page: Any, address: str) -> None:
    page.goto(f"{address}play.html")
    page.select_option("select[name=partner]", "person")
    page.click("button[type=submit]")
    page.wait_for_selector(".banner input")
    other = browser.new_context(viewport=DESK).new_page()
    other.goto(page.input_value(".banner input"))
    other.click("button:has-text('Play as the Commander')")
    other.wait_for_selector("body[data-moment]")
    page.wait_for_selector(".banner", state="hidden")
    other.fill("[name=words]", "turn around")
    other.press("[name=words]", "Enter")
    page.wait_for_selector(".said.commander:has-text('turn around')")
    page.keyboard.press("ArrowLeft")
    wait(other, "document.body.dataset.moment == 2")
    assert other.get_attribute(".agent.follower", "transform") == page.get_attribute(
        ".agent.follower", "transform"
    )
    other.context.close()


def test_a_lost_connection_is_taken_up_again(page: Any, address: str) -> None:
    begin_game(page, address, "follower")
    page.context.set_offline(True)
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#lost", state="visible")
    page.context.set_offline(False)
    page.wait_for_selector("#lost", state="hidden")
    wait(page, "document.body.dataset.moment == 1")
    page.keyboard.press("ArrowLeft")
    wait(page, "document.body.dataset.moment == 2")


def test_an_exported_site_opens_from_disk(browser: Any, site: Path) -> None:
    page = browser.new_page(viewport=DESK)
    page.goto((site / "index.html").as_uri())
    page.click("#sessions tbody tr a")
    page.wait_for_selector("#playback output")
    page.keyboard.press("End")
    met, total = page.inner_text(".progress .number").split(" of ")
    assert met == total
    wait(page, PICTURES_ARE_SEEN)
    assert not page.is_visible("a.live")
    page.close()
