"""No field of what a Follower gets holds a simulator's id or a coordinate of the world."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
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
from tests.sim.box_kitchen import kitchen
from tests.sim.test_perception import moved

FAR_METRES = 64.0
"""How far the kitchen is moved: no length in the Follower's frame is as large as half of it."""
ID = re.compile(r"\|[-+]?\d*\.\d|moved|\|[-+]")
LEVELS = (None, *PerceptionLevel)
REFUSED = (Action(Verb.FORWARD), Action(Verb.FORWARD), Action(Verb.PICKUP, Click(0.5, 0.9)))
ANGLES = ("yaw", "horizon", "rotation", "degrees")


def values_in(given: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each text and number in a value, with its path; sensors are called first."""
    if isinstance(given, np.ndarray):
        yield f"{path}.max", float(np.nan_to_num(given, posinf=0.0).max())
    elif isinstance(given, str | int | float) or given is None:
        yield path, given
    elif is_dataclass(given):
        for each in fields(given):
            yield from values_in(getattr(given, each.name), f"{path}.{each.name}")
    elif isinstance(given, list | tuple):
        for i, value in enumerate(given):
            yield from values_in(value, f"{path}[{i}]")
    elif callable(given):
        yield from values_in(given(24) if path.endswith("segments") else given(), f"{path}()")


def texts_and_lengths(given: Any) -> tuple[list[tuple[str, str]], list[tuple[str, float]]]:
    """Return the texts in a value, and its numbers that are no angles and no counts."""
    found = list(values_in(given))
    texts = [(path, str(value)) for path, value in found if isinstance(value, str)]
    lengths = [
        (path, value)
        for path, value in found
        if isinstance(value, float) and not any(angle in path for angle in ANGLES)
    ]
    return texts, lengths


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
