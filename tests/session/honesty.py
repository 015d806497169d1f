"""Runs a Follower that perceives in worlds that differ in what it must not know.

A Follower is honest if its actions are the same in both, byte for byte.  `make` takes the
simulator, which an honest Follower leaves alone and one that peeks does not.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tatc.commander import CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.follower import Follower
from tatc.home.actions import Action, Role, Verb
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import Scene, Snapshot
from tatc.session.loop import run_session
from tatc.session.records.record import interaction_json
from tatc.session.session_types import SessionLimits
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.protocol import Simulator
from tatc.tdl import Task

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
    start = scene.start
    objects = [
        replace(obj, **fields) if obj.objectType == object_type else obj for obj in start.objects
    ]
    return replace(scene, start=Snapshot.from_objects(objects, start.commander, start.follower))
