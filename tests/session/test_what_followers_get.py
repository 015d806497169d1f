"""No field of what a Follower gets holds a simulator's id or a coordinate of the world."""

import re
from dataclasses import replace

import pytest

from tatc.commander import RuleCommander
from tatc.follower import RuleFollower
from tatc.home.actions import Action, Click, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel
from tatc.home.refusals import RefusalCode
from tatc.session.loop import run_session
from tatc.session.records import SessionEnd
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.session.what_a_follower_gets import texts_and_lengths
from tests.sim.box_kitchen import kitchen
from tests.sim.test_perception import moved

FAR_METRES = 64.0
"""How far the kitchen is moved: no length in the Follower's frame is as large as half of it."""
ID = re.compile(r"\|[-+]?\d*\.\d|moved|\|[-+]")
LEVELS = (None, *PerceptionLevel)
REFUSED = (Action(Verb.FORWARD), Action(Verb.FORWARD), Action(Verb.PICKUP, Click(0.5, 0.9)))


class ReadingFollower(RuleFollower):
    """Does what it is told after some actions that are refused, and keeps all that it gets."""

    perceives = True

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Observation] = []
        self.texts: list[tuple[str, str]] = []
        self.lengths: list[tuple[str, float]] = []

    def act(self, observation: Observation) -> Action:
        sensors = replace(observation, frame=None)  # pixels of colours tell no ids
        texts, lengths = texts_and_lengths(sensors)
        self.texts += texts
        self.lengths += lengths
        self.given.append(observation)
        turn = len(self.given) - 1
        return REFUSED[turn] if turn < len(REFUSED) else super().act(observation)


@pytest.fixture(scope="module", params=LEVELS)
def reader(request: pytest.FixtureRequest) -> ReadingFollower:
    follower = ReadingFollower()
    scene = moved(kitchen(), FAR_METRES, 0.0, -FAR_METRES)
    task = shipped_library().compile("Coffee")
    sim = EmbeddedSimulator()
    result = run_session(sim, scene, task, RuleCommander(), follower, perception=request.param)
    assert result.end is SessionEnd.SUCCESS
    return follower


def test_no_text_names_an_object_of_the_simulator(reader: ReadingFollower) -> None:
    assert len(reader.texts) > len(reader.given)
    assert [found for found in reader.texts if ID.search(found[1])] == []


def test_no_length_is_one_of_the_world(reader: ReadingFollower) -> None:
    clicks = [found for found in reader.lengths if abs(found[1]) > FAR_METRES / 2]
    assert [found for found in clicks if not found[0].endswith(".time")] == []


def test_a_result_says_why_in_a_code_and_what_by_its_number(reader: ReadingFollower) -> None:
    results = [each.last_result for each in reader.given if each.last_result is not None]
    assert {type(result.refusal_code) for result in results} == {type(None), RefusalCode}
    assert all((result.refusal_code is None) is result.success for result in results)
    numbers = {result.number for result in results} - {None}
    view = reader.given[0].percepts
    perceives_states = view is not None and view().level is PerceptionLevel.TRUTH
    assert bool(numbers) is perceives_states
