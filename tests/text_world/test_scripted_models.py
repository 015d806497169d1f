"""A scripted model plays Coffee to the end as either agent, with tool calls alone."""

import re

import pytest

from tatc.actions import INTERACTION_VERBS, Role, Verb
from tatc.language import MotionPhrase, PhraseStretch, hear, view_region_of
from tatc.records import SessionEnd
from tatc.session.replay import replay_record
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.text_world.tools import INTERACTION_VERBS_BY_TOOL
from tatc.tool_session import ToolSession
from tests.text_world.sessions import Call, opening

TOOL_OF_VERB = {verb: name for name, verb in INTERACTION_VERBS_BY_TOOL.items()}
MOTIONS: dict[Verb, Call] = {
    Verb.FORWARD: ("move", {"direction": "forward"}),
    Verb.BACKWARD: ("move", {"direction": "backward"}),
    Verb.PAN_LEFT: ("move", {"direction": "left"}),
    Verb.PAN_RIGHT: ("move", {"direction": "right"}),
    Verb.TURN_LEFT: ("turn", {"direction": "left"}),
    Verb.TURN_RIGHT: ("turn", {"direction": "right"}),
    Verb.LOOK_UP: ("look", {"direction": "up"}),
    Verb.LOOK_DOWN: ("look", {"direction": "down"}),
}


class CommanderScript:
    """Makes coffee: it reads answers and calls tools, and knows nothing else."""

    def __init__(self, session: ToolSession) -> None:
        self.session = session

    def call(self, name: str, **arguments: str) -> str:
        return self.session.call(Role.COMMANDER, name, arguments)

    def find(self, words: str) -> tuple[str, str]:
        answer = self.call("search", type=words).splitlines()[-1]
        found = re.match(r"(\w+_\d+) is (.*);", answer)
        assert found is not None, answer
        return found[1], found[2]

    def make_coffee(self) -> str:
        mug = re.findall(r"Mug_\d+", self.call("check"))[0]
        shut = re.search(r"in or on (\w+_\d+), which is closed", self.find(mug)[1])
        if shut is not None:
            self.call("tell", action="open", object=shut[1])
        machine, sink, tap = (
            self.find(each)[0] for each in ("CoffeeMachine", "SinkBasin", "Faucet")
        )
        steps = [("pick_up", mug), ("place", sink), ("switch_on", tap), ("switch_off", tap)]
        steps += [("pick_up", mug), ("pour", sink), ("switch_off", machine), ("place", machine)]
        for action, target in (*steps, ("switch_on", machine)):
            self.call("tell", action=action, object=target)
        return self.call("check")


@pytest.mark.parametrize("room", ["kitchen-01", "kitchen-04"])
def test_a_scripted_commander_makes_coffee_with_the_rule_follower(room: str) -> None:
    session = ToolSession(opening("coffee", room), plays=(Role.COMMANDER,))
    assert "The task is complete." in CommanderScript(session).make_coffee()
    assert session.result().end is SessionEnd.SUCCESS


def follow(session: ToolSession, words: str) -> None:
    """Do what the Commander describes, each on the nearest of its type in that part of the view."""
    meaning = hear(words)
    assert isinstance(meaning, PhraseStretch), words
    for phrase in meaning.phrases:
        if isinstance(phrase, MotionPhrase):
            for _ in range(phrase.times):
                session.call(Role.FOLLOWER, *MOTIONS[phrase.verb])
            continue
        seen = [s for s in session.follower_interface.seen if s.object_type == phrase.object_type]
        seen.sort(key=lambda s: (view_region_of(s.click) != phrase.region, s.metres))
        if not seen:
            return
        name = TOOL_OF_VERB[phrase.verb]
        if "failed" in session.call(Role.FOLLOWER, name, {"object": seen[0].handle}):
            return


@pytest.fixture(scope="module")
def played() -> ToolSession:
    """Return a session that a scripted Follower has played with the rule Commander."""
    session = ToolSession(opening("coffee", "kitchen-01"))
    for _ in range(25):
        heard = session.call(Role.FOLLOWER, "ask").rpartition("Heard: ")[2]
        if "We are done" in heard:
            session.call(Role.FOLLOWER, "stop")
            break
        follow(session, heard)
    return session


def test_a_scripted_follower_makes_coffee_with_the_rule_commander(played: ToolSession) -> None:
    assert played.result().end is SessionEnd.SUCCESS


def test_its_record_is_teachs_and_replays(played: ToolSession) -> None:
    record = played.record()
    interactions = [done for done in record.interactions if done.verb in INTERACTION_VERBS]
    assert interactions
    assert all(done.click is not None for done in interactions)
    assert replay_record(record, EmbeddedSimulator()).is_same
