"""The belief in the debugger: its panes, the map, and goals that are edited."""

import asyncio
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tatc.apps.debugger import pane_texts
from tatc.apps.debugger.branches import Branch, branch_of_session
from tatc.apps.debugger.command_prompt import CommandPrompt
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.pytest_cases import write_pytest_case
from tatc.apps.debugger.terminal_app import DebuggerApp
from tatc.apps.debugger.terminal_drawing import draw_map, map_knowledge, plan_of_moment, seen_floor
from tatc.apps.debugger.widgets import Pane
from tatc.base.errors import BadInput
from tatc.session.records import write_record
from tatc.session.timeline import read_finished_session, remaining_steps_at
from tatc.sim.top_view.plan_model import PlanFloor
from tests.apps.debugger.debug_sessions import run_case, start_debugger
from tests.apps.debugger.test_terminal_app import shown, text_of, write
from tests.session.timeline.listening_session import SETUP, listening_session

HALFWAY = 8


@pytest.fixture
def debugger() -> Debugger:
    live = listening_session()
    made = Debugger(Branch("session", live), SETUP)
    made.go_to(HALFWAY)
    return made


@pytest.fixture
def prompt(debugger: Debugger) -> CommandPrompt:
    camera = FollowerCamera(debugger.branch.session.start.scene)
    return CommandPrompt(debugger, camera)


def test_the_pane_tells_goal_words_and_plan(debugger: Debugger):
    text = pane_texts.belief_text(debugger, 60).plain
    assert "goal    Coffee" in text and "1: coffee in 1 clean mug" in text
    assert '"some coffee"' in text and "confidence 0.9" in text
    assert "now   ▸ wash the mug" in text and "✓ look for mug" in text
    assert pane_texts.belief_title(debugger) == "the Follower's belief"
    told = pane_texts.differences_text(debugger, 60).plain
    assert told.startswith("All that it has seen is as it believes.\nnot seen yet: ")
    debugger.go_to(1)  # without a belief of its own: the last one is shown
    assert pane_texts.belief_title(debugger) == "the Follower's belief at step 0"
    assert "goal    none yet" in pane_texts.belief_text(debugger, 60).plain


def test_other_followers_have_none():
    debugger = start_debugger()
    text = pane_texts.belief_text(debugger, 60).plain
    assert text.startswith("This Follower has no belief")
    assert pane_texts.differences_text(debugger, 60).plain == text
    with pytest.raises(BadInput, match="no goal to edit"):
        debugger.edit_goal("make coffee")
    camera = FollowerCamera(debugger.branch.session.start.scene)
    assert "belief" not in "".join(map(str, pane_texts.all_pane_texts(debugger, camera)))


def test_the_map_darkens_what_was_not_seen(debugger: Debugger):
    here = debugger.belief
    assert here is not None
    floor = PlanFloor.of_scene(debugger.branch.session.start.scene)
    remaining = remaining_steps_at(debugger.moments, HALFWAY)
    assert remaining.steps and len(remaining.poses) == len(remaining.steps) + 1
    plan = plan_of_moment(floor, debugger.moments, HALFWAY, remaining, ())
    bright = draw_map(plan, 50, 24).pixels.astype(int)
    dark = draw_map(plan, 50, 24, map_knowledge(here)).pixels.astype(int)
    assert (dark <= bright).all() and (dark < bright).any()
    assert len(seen_floor(floor, here).cells) < len(floor.cells)
    believed = plan_of_moment(floor, debugger.moments, HALFWAY, remaining, (), here.snapshot)
    assert not np.array_equal(draw_map(believed, 50, 24).pixels, bright)


def test_a_line_of_the_goal_is_edited_in_a_fork(debugger: Debugger, prompt: CommandPrompt):
    told = prompt.execute("goal 1: coffee in 2 clean mugs").message
    assert told.startswith("fork 1: the agents go on from step 8; the goal is now: ")
    assert told.endswith("coffee in 2 clean mugs")
    debugger.go_to(HALFWAY + 2)
    text = pane_texts.belief_text(debugger, 60).plain
    assert "1: coffee in 2 clean mugs" in text and "is      edited, " in text
    debugger.switch_branch(-1)
    assert "coffee in 1 clean mug" in pane_texts.belief_text(debugger, 60).plain


@pytest.mark.parametrize(
    ("at", "line", "why"),
    [
        (HALFWAY, "goal", "there is no goal"),
        (HALFWAY, "goal blah blah", "asks for nothing"),
        (HALFWAY, "goal 7: clean all mugs", "no line 7"),
        (0, "goal 1: clean all mugs", "no lines here"),
    ],
)
def test_a_goal_that_means_nothing_is_refused(
    debugger: Debugger, prompt: CommandPrompt, at: int, line: str, why: str
):
    debugger.go_to(at)
    with pytest.raises(BadInput, match=why):
        prompt.execute(line)
    assert len(debugger.branches) == 1


def test_a_fork_with_a_goal_is_a_test_that_passes(debugger: Debugger, tmp_path: Path):
    debugger.edit_goal("clean 2 mugs")
    debugger.go_to(HALFWAY + 3)
    path = tmp_path / "test_goal.py"
    write_pytest_case(debugger, path)
    run_case(path)


def test_recorded_words_are_said_again_where_another_commander_goes_on(tmp_path: Path):
    path = tmp_path / "coffee.game.json"
    record = listening_session().record()
    options = tuple((k, "person" if k == "commander" else v) for k, v in record.options)
    write_record(replace(record, options=options), path)
    session = read_finished_session(path)
    alone = Debugger(branch_of_session(session), session.setup)
    alone.go_to(HALFWAY)
    with pytest.raises(BadInput, match="name the agent yourself with --commander"):
        alone.fork()
    debugger = Debugger(branch_of_session(session), replace(session.setup, commander="rule"))
    debugger.go_to(HALFWAY)
    assert debugger.fork() == "fork 1: the agents go on from step 8"
    assert [m.belief for m in debugger.moments[:HALFWAY]] == [
        m.belief for m in listening_session().moments[:HALFWAY]
    ]


def test_a_record_is_opened_with_its_beliefs_and_driven_by_keys(tmp_path: Path):
    path = tmp_path / "coffee.game.json"
    write_record(listening_session().record(), path)
    session = read_finished_session(path)
    debugger = Debugger(branch_of_session(session), session.setup)
    debugger.go_to(HALFWAY)

    async def run() -> None:
        async with DebuggerApp(debugger).run_test(size=(150, 44)) as pilot:
            await pilot.pause()
            assert "coffee in 1 clean mug" in text_of(pilot, Pane.BELIEF)
            assert "not seen yet" in text_of(pilot, Pane.DIFFERENCES)
            before = pilot.app.query_one(f"#{Pane.MAP}").border_subtitle
            await pilot.press("v")
            assert pilot.app.query_one(f"#{Pane.MAP}").border_subtitle != before
            await pilot.press("e")
            await pilot.pause()
            assert pilot.app.query_one("#prompt").value == "goal 1: coffee in 1 clean mug"  # type: ignore[attr-defined]
            await pilot.press("escape")
            await write(pilot, "goal clean 2 mugs")
            assert "the goal is now: clean 2 mug" in shown(pilot, "message")
            assert debugger.branch.name == "fork 1"

    asyncio.run(run())
