"""Agents that choose tool calls, in sessions as `tatc run` plays them."""

from functools import cache

import pytest

from tatc.home.actions import INTERACTION_VERBS, Role, Verb
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session.agents.session_setup import AgentOverrides, SessionSetup, agent_maker
from tatc.session.play import prepare, run_from_start
from tatc.session.records import SessionEnd
from tatc.session.session_record import make_record, replay_record
from tatc.session.session_types import SessionResult
from tatc.session.text_world import TextCommander, TextFollower
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.text_agents import MAX_CALLS_PER_ACTION
from tatc.session.text_world.wording import TEXT_WORLD_VERSION, wording_hash
from tatc.session.tool_session import ToolSession
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.session.text_world.scripted_models import SCRIPTS
from tests.session.text_world.sessions import opening

SCRIPT = [
    ("check", {}),
    ("map", {}),
    ("search", {"type": "Mug_1"}),
    ("tell", {"action": "open", "object": "Cabinet_2"}),
    ("tell", {"action": "pick_up", "object": "Mug_99"}),
    ("tell", {"action": "pick_up", "object": "Mug_1"}),
    ("search", {"type": "SinkBasin"}),
    ("tell", {"action": "pour", "object": "SinkBasin_3"}),
    ("search", {"type": "CoffeeMachine"}),
    ("tell", {"action": "switch_off", "object": "CoffeeMachine_4"}),
    ("tell", {"action": "place", "object": "CoffeeMachine_4"}),
    ("tell", {"action": "switch_on", "object": "CoffeeMachine_4"}),
    ("stop", {}),
]


class Script:
    """Makes the calls of a list, then the last one again and again; it keeps what it reads."""

    def __init__(self, calls: list[tuple[object, object]]) -> None:
        self.calls, self.read = calls, list[str]()

    def begin(self) -> None:
        self.read.clear()

    def choose(self, reading: Reading, tools: object) -> tuple[object, object]:
        self.read.append(reading.changes)
        return self.calls[min(len(self.read), len(self.calls)) - 1]


def test_a_scripted_commander_makes_coffee_as_tatc_run_plays_it() -> None:
    script, start, setup = Script([*SCRIPT]), opening("coffee", "kitchen-01"), SessionSetup()
    overrides = AgentOverrides(commander=lambda: TextCommander(script))
    result, used_map = run_from_start(start, prepare(setup, overrides))
    assert result.end is SessionEnd.SUCCESS
    assert "no object has been called Mug_99" in script.read[5]
    options = dict(make_record(start, result, used_map, setup).options)
    assert options["text_world"] == f"{TEXT_WORLD_VERSION} {wording_hash()}"


def followed(script: Script) -> SessionResult:
    """Return the session of a Follower that makes these calls."""
    setup = SessionSetup(wording=Wording.STEPS, perception=PerceptionLevel.TRUTH)
    overrides = AgentOverrides(follower=agent_maker(TextFollower(script), "Follower"))
    return run_from_start(opening("coffee", "kitchen-01"), prepare(setup, overrides))[0]


def test_a_follower_acts_call_by_call_and_reads_the_answers() -> None:
    calls: list[tuple[object, object]] = [
        ("ask", {}),
        ("move", {"direction": "left", "times": 2}),
        ("fly", {}),
        ("stop", {}),
    ]
    script = Script(calls)
    result = followed(script)
    assert result.end is SessionEnd.GAVE_UP
    done = [each.verb for each in result.interactions if each.role is Role.FOLLOWER]
    assert done[1:] == [Verb.PAN_LEFT, Verb.PAN_LEFT]
    assert "Heard: open the lower left cabinet" in script.read[1]
    assert "Last: move left 2: done after 2 steps" in script.read[2]
    assert "there is no tool 'fly'" in script.read[3]


def test_a_chooser_that_only_errs_ends_the_session() -> None:
    script = Script([("fly", {})])
    assert followed(script).end is SessionEnd.GAVE_UP
    assert len(script.read) == MAX_CALLS_PER_ACTION


@cache
def played(role: Role, room: str) -> ToolSession:
    """Return a session that a scripted model has played with the other rule agent."""
    session, script = ToolSession(opening("coffee", room), plays=(role,)), SCRIPTS[role]()
    call = next(script)
    while True:
        text = session.call(role, *call)
        if session.end is not None:
            return session
        call = script.send(text)


@pytest.mark.parametrize("room", ["kitchen-01", "kitchen-04"])
def test_a_scripted_commander_makes_coffee_with_the_rule_follower(room: str) -> None:
    assert played(Role.COMMANDER, room).result().end is SessionEnd.SUCCESS


def test_a_scripted_follower_makes_coffee_with_the_rule_commander() -> None:
    assert played(Role.FOLLOWER, "kitchen-01").result().end is SessionEnd.SUCCESS


def test_its_record_is_teachs_and_replays() -> None:
    record = played(Role.FOLLOWER, "kitchen-01").record()
    interactions = [done for done in record.interactions if done.verb in INTERACTION_VERBS]
    assert interactions
    assert all(done.click is not None for done in interactions)
    assert replay_record(record, EmbeddedSimulator()).is_same
