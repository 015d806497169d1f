"""A Follower that perceives acts on nothing but words and what it has seen.

It runs in worlds that differ in what it must not know.  It is honest if its actions are the same
in both, byte for byte.  `make` takes the simulator, which an honest Follower leaves alone and one
that peeks does not.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.follower import Follower
from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import Scene, Snapshot
from tatc.session.loop import run_session
from tatc.session.records.record import interaction_json
from tatc.session.session_types import SessionLimits
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.protocol import Simulator
from tatc.tdl import Task, shipped_library
from tests.sim.box_kitchen import kitchen

MakeFollower = Callable[[Simulator, Task], Follower]
LIMITS = SessionLimits(steps=40, failures=30)


class SaysOnce:
    """A Commander that says some words, whatever the task is, and then stops."""

    decisions: tuple[Decision, ...] = ()

    def __init__(self, words: str) -> None:
        self._words, self._said = words, False

    def begin(self, oracle: Oracle, task: Task) -> None:
        self._said = False

    def act(self, view: CommanderView) -> Action:
        if self._said:
            return Action(Verb.STOP)
        self._said = True
        return Action(Verb.TEXT, text=self._words)


def actions_in(
    make: MakeFollower, scene: Scene, task: Task, words: str, level: PerceptionLevel
) -> list[dict[str, Any]]:
    """Return what the Follower does in a session, without the ids that only the log has."""
    sim = EmbeddedSimulator()
    follower = make(sim, task)
    result = run_session(
        sim, scene, task, SaysOnce(words), follower, limits=LIMITS, perception=level
    )
    ours = [each for each in result.interactions if each.role is Role.FOLLOWER]
    return [interaction_json(replace(each, object_id=None)) for each in ours]


def with_change(scene: Scene, object_type: str, **fields: Any) -> Scene:
    """Return a scene in which the one object of a type has other fields."""
    start = scene.initial
    objects = [
        replace(obj, **fields) if obj.objectType == object_type else obj for obj in start.objects
    ]
    return replace(scene, initial=Snapshot.from_objects(objects, start.commander, start.follower))


WORDS = "Please make me a cup of coffee."
TASKS = (("Coffee", ()), ("Boil X", ("Potato",)), ("Water Plant", ()))
LEVELS = list(PerceptionLevel)
HIDDEN_CHANGES = [("SaltShaker", {"isDirty": True}), ("SaltShaker", {"name": "other"})]
"""Changes of what lies in the closed drawer, where nobody has seen it."""


class Looker:
    """Turns round once, and reaches for whatever is dirty in view; opens nothing."""

    perceives = True

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self._turns = 0

    def act(self, observation: Observation) -> Action:
        assert observation.percepts is not None
        view = observation.percepts()
        self._turns += 1
        if self._turns > 8 or view is None:
            return Action(Verb.STOP)
        dirty = [each for each in view.percepts if each.state is not None and each.state.isDirty]
        if dirty and self._turns % 2:
            return Action(Verb.PICKUP, Click(dirty[0].pixel_count / 14400, 0.5))
        return Action(Verb.TURN_LEFT)


class PeekingFollower(Looker):
    """Looks into the simulator, and at the task, that a Follower is never given."""

    def __init__(self, sim: Simulator, task: Task) -> None:
        super().__init__()
        self._sim, self._task = sim, task

    def act(self, observation: Observation) -> Action:
        if self._turns == 2:
            self._turns += 1
            things = self._sim.snapshot().of_type("SaltShaker")
            if self._task.check(self._sim.snapshot()).description.startswith("B"):
                return Action(Verb.LOOK_UP)
            if any(obj.isDirty or obj.name == "other" for obj in things):
                return Action(Verb.LOOK_DOWN)
        return super().act(observation)


def make_looker(sim: Simulator, task: Task) -> Follower:
    return Looker()


def make_listener(sim: Simulator, task: Task) -> Follower:
    from tatc.follower.listener.follower import ListenerFollower

    return ListenerFollower()


HONEST: list[MakeFollower] = [make_looker, make_listener]


def same_under_other_tasks(make: MakeFollower, level: PerceptionLevel) -> bool:
    """Return whether a Follower acts alike whichever task is true, after the same words."""
    tasks = [shipped_library().compile(*each) for each in TASKS]
    first, *others = [actions_in(make, kitchen(), task, WORDS, level) for task in tasks]
    assert len(first) > 2, "it did nothing"
    return all(each == first for each in others)


def same_under_hidden_changes(make: MakeFollower, level: PerceptionLevel) -> bool:
    """Return whether a Follower acts alike whatever lies in the closed drawer."""
    task = shipped_library().compile("Coffee")

    def acted(scene: Scene) -> list[dict[str, object]]:
        return actions_in(make, scene, task, WORDS, level)

    first = acted(kitchen())
    assert len(first) > 2, "it did nothing"
    return all(acted(with_change(kitchen(), kind, **how)) == first for kind, how in HIDDEN_CHANGES)


@pytest.mark.parametrize("check", [same_under_other_tasks, same_under_hidden_changes])
@pytest.mark.parametrize("make", HONEST)
@pytest.mark.parametrize("level", LEVELS)
def test_it_knows_neither_the_task_nor_what_it_never_saw(
    make: MakeFollower,
    level: PerceptionLevel,
    check: Callable[[MakeFollower, PerceptionLevel], bool],
) -> None:
    assert check(make, level)


def test_it_acts_on_a_change_once_it_sees_it() -> None:
    task, truth = shipped_library().compile("Coffee"), PerceptionLevel.TRUTH
    dirty = actions_in(make_looker, kitchen(), task, WORDS, truth)
    clean = actions_in(
        make_looker, with_change(kitchen(), "Plate", isDirty=False), task, WORDS, truth
    )
    assert dirty != clean


@pytest.mark.parametrize("check", [same_under_other_tasks, same_under_hidden_changes])
def test_a_follower_that_peeks_is_caught(
    check: Callable[[MakeFollower, PerceptionLevel], bool],
) -> None:
    assert not check(PeekingFollower, PerceptionLevel.TRUTH)
