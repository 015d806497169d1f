"""The debugger on a terminal, driven by keys as a person drives it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.terminal_app import DebuggerApp, screenshot_svg
from tatc.apps.debugger.widgets import PANE_KEYS, Help, Pane
from tatc.home.actions import Verb
from tatc.session.agents.session_setup import SessionSetup
from tests.apps.debugger.debug_sessions import run_case, start_debugger, write_follower

Script = Callable[[Pilot[None]], Awaitable[None]]
SIZE = (100, 30)


class Terminal:
    """A debugger on a terminal that stays open while scripts drive it, one after the other."""

    def __init__(self, debugger: Debugger) -> None:
        self.debugger = debugger
        self._runner = asyncio.Runner()
        self._open = DebuggerApp(debugger).run_test(size=SIZE)
        self._pilot = self._runner.run(self._open.__aenter__())

    def drive(self, script: Script, size: tuple[int, int] = SIZE) -> None:
        self._runner.run(self._drive(script, size))

    async def _drive(self, script: Script, size: tuple[int, int]) -> None:
        await self._pilot.resize_terminal(*size)
        await self._pilot.press("home")
        await script(self._pilot)

    def close(self) -> None:
        self._runner.run(self._open.__aexit__(None, None, None))
        self._runner.close()


@pytest.fixture(scope="module")
def terminal() -> Iterator[Terminal]:
    """Return the terminal of a session that succeeds."""
    with closing(Terminal(start_debugger())) as made:
        yield made


def shown(pilot: Pilot[None], name: str) -> str:
    return str(pilot.app.query_one(f"#{name}", Static).content)


def text_of(pilot: Pilot[None], pane: Pane) -> str:
    return str(pilot.app.query_one(f"#{pane} > Static", Static).content)


async def write(pilot: Pilot[None], line: str) -> None:
    """Type a line after the key that opens the prompt, its last letter by key."""
    await pilot.press("colon")
    prompt = pilot.app.query_one("#prompt", Input)
    assert prompt.has_focus
    prompt.value = line[:-1]
    prompt.cursor_position = len(line) - 1
    await pilot.press(line[-1], "enter")
    await pilot.pause()


async def until_it_stops(pilot: Pilot[None]) -> None:
    for _ in range(600):
        await pilot.pause(0.01)
        if not shown(pilot, "message").startswith("running"):
            return
    raise AssertionError("the run does not stop")


def test_keys_step_there_and_back_and_write_the_view(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tatc.apps.debugger.suspended_screen.PICTURE_PIXELS", 60)
    debugger = terminal.debugger

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n", "f", "n", "right", "u", "u")
        assert (tmp_path / "step-1.png").read_bytes().startswith(b"\x89PNG")
        here = debugger.at
        assert here > 5 and f"step {here}" in shown(pilot, "title")
        await pilot.press("U", "b", "left")
        assert 0 < debugger.at < here
        await pilot.press("end")
        assert debugger.at == debugger.branch.last >= here
        await pilot.press("home", "b")
        assert debugger.at == 0
        assert shown(pilot, "message") == "this is the start"

    terminal.drive(script)


def test_break_on_a_failed_action_reload_fork_and_save_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The whole way that the debugger is there for."""
    monkeypatch.chdir(tmp_path)
    write_follower(tmp_path, "LOOK_UP")  # the third look up in a row is refused
    debugger = start_debugger(SessionSetup(follower="mine:Mine"))

    async def script(pilot: Pilot[None]) -> None:
        await write(pilot, "break failed")
        await pilot.press("r")
        await until_it_stops(pilot)
        assert shown(pilot, "message").startswith("breakpoint 1 (failed): Look Up failed: ")
        failed = debugger.at
        assert debugger.moment.failed
        await pilot.press("b", "b", "n", "n")
        assert debugger.at == failed
        write_follower(tmp_path, "LOOK_DOWN")
        await pilot.press("x")
        await pilot.pause()
        assert "changes (mine)" in shown(pilot, "message")
        changed = debugger.at
        assert changed <= failed
        assert debugger.moment.interaction.verb is Verb.LOOK_DOWN
        await write(pilot, "turn left")
        assert debugger.moment.by_hand and debugger.at == changed + 1
        await pilot.press("n", "n")
        await pilot.press("W")
        at = debugger.at
        assert f"up to step {at}" in shown(pilot, "message")
        assert pilot.app.query_one("#prompt", Input).value == f"case test_step_{at}.py"
        await pilot.press("escape")
        await write(pilot, "case test_fork.py")
        assert f"up to step {at}: test_fork.py (pytest test_fork.py)" in shown(pilot, "message")
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert debugger.branch.name == "session"

    with closing(Terminal(debugger)) as own:
        own.drive(script)
    sys.modules.pop("mine")
    run_case(tmp_path / "test_fork.py")


def test_a_run_can_be_paused_and_goes_on_to_the_end(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
):
    debugger = terminal.debugger
    # So slow that the second key comes long before the end.
    monkeypatch.setattr("tatc.apps.debugger.terminal_app._RUN_TICK_SECONDS", 2.0)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("r", "r")
        assert shown(pilot, "message").startswith("paused at step")
        here = debugger.at
        await pilot.pause(0.1)
        assert debugger.at == here
        monkeypatch.setattr("tatc.apps.debugger.terminal_app._RUN_TICK_SECONDS", 0.01)
        await pilot.press("r")
        await until_it_stops(pilot)
        assert shown(pilot, "message") == "the end: success"

    terminal.drive(script)


def test_errors_are_told_on_the_screen_and_nothing_ends(terminal: Terminal):
    debugger = terminal.debugger

    async def script(pilot: Pilot[None]) -> None:
        await write(pilot, "fly away")
        assert shown(pilot, "message").startswith("unknown word 'fly'")
        await write(pilot, "pickup unicorn")
        assert shown(pilot, "message").startswith("no unicorn is in view")
        await pilot.press("n")
        assert debugger.at == 1
        assert shown(pilot, "message") == ""

    terminal.drive(script)


def test_objects_are_searched_and_changes_told_since_a_mark(terminal: Terminal):
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("slash", *"micro", "enter")
        await pilot.pause()
        assert "Microwave" in text_of(pilot, Pane.OBJECTS)
        assert "Mug" not in text_of(pilot, Pane.OBJECTS).splitlines()[0]
        terminal.debugger.go_to(4)
        await pilot.press("m", "n")
        await pilot.pause()
        await pilot.press("7", "down", "left", "right")  # steps, and does not scroll
        await pilot.pause()
        assert text_of(pilot, Pane.CHANGES).startswith("since step 4: 1\nFollower.pose")

    terminal.drive(script)


@pytest.mark.parametrize("size", [(60, 24), (40, 12), (100, 30)])
def test_any_terminal_shows_every_pane(terminal: Terminal, size: tuple[int, int]):
    async def script(pilot: Pilot[None]) -> None:
        for key, pane in zip(PANE_KEYS, Pane, strict=True):
            await pilot.press(key)
            await pilot.pause()
            widget = pilot.app.query_one(f"#{pane}")
            assert widget.region.width > 0 and widget.region.height > 0, pane
            assert pilot.app.screen.region.contains_region(widget.region)
        if size[0] < 100:
            columns = [each for each in Pane if pilot.app.query_one(f"#{each}").size]
            assert len(columns) == 1
            tabs = pilot.app.query_one("#tabs")
            shown = " ".join(tabs.render_line(y).text for y in range(tabs.size.height))
            assert all(pane.value in shown for pane in Pane), "every pane has its key"
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, Help)
        await pilot.press("escape")
        await pilot.press("n")
        assert terminal.debugger.at == 1

    terminal.drive(script, size)


def test_a_screen_is_a_picture_without_anyone_at_the_keys():
    debugger = start_debugger()
    debugger.go_to(12)
    svg = asyncio.run(screenshot_svg(debugger))
    assert svg.startswith("<svg") and "progress" in svg and "step&#160;12" in svg
