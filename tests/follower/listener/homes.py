"""Homes for the listener's tests: shipped rooms, and how a Follower plays in them."""

from functools import cache
from typing import cast

from tatc.follower.listener.follower import ListenerFollower
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Action, Role, Utterance, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel, View
from tatc.home.state import ObjectState, Scene
from tatc.session.start import SessionStart, start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception, observed_result
from tatc.sim.rooms import load_room
from tatc.tdl.task_library import shipped_library

MAX_STEPS = 400


@cache
def opening(task: str, room: str = "kitchen-01", seed: int = 0, *params: str) -> SessionStart:
    library = shipped_library()
    return start_from_room(load_room(room), library, library.find(task), params, seed)


class Home:
    """A simulator that a body perceives in."""

    def __init__(self, scene: Scene, level: PerceptionLevel = PerceptionLevel.TRUTH) -> None:
        self.sim = EmbeddedSimulator()
        self.perception = Perception(self.sim, level, self.sim.reset(scene).follower)

    def view(self) -> View:
        return cast(View, self.perception.view())

    def turn_around(self, belief: SemanticMap) -> None:
        for _ in range(4):
            belief.see(self.view())
            self.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))

    def play(self, follower: ListenerFollower, *words: str) -> list[Action]:
        """Let a Follower act to its end; return its actions, the last of them Stop.

        The Commander says one of `words` at the start, and the next whenever the Follower speaks.
        """
        done: list[Action] = []
        result = None
        left = list(words)
        heard = _said(left)
        while len(done) < MAX_STEPS:
            action = follower.act(Observation(heard, result, percepts=self.perception.view))
            heard = ()
            done.append(action)
            if action.verb is Verb.STOP:
                return done
            if action.verb is Verb.TEXT:
                heard = _said(left)
            else:
                result = observed_result(self.sim.step(Role.FOLLOWER, action), self.perception)
        raise AssertionError("the Follower did not stop")


def looked_around(
    start: SessionStart | None = None, level: PerceptionLevel = PerceptionLevel.TRUTH
) -> tuple[Home, SemanticMap]:
    """Return a home, and the map of what a turn on the spot showed."""
    home, belief = Home((start or opening("coffee")).scene, level), SemanticMap()
    home.turn_around(belief)
    return home, belief


def one_that_is(affordance: str, belief: SemanticMap) -> ObjectState:
    """Return the first object of the map that has an affordance."""
    return next(obj for obj in belief.objects if getattr(obj.affordances, affordance))


def _said(left: list[str]) -> tuple[Utterance, ...]:
    return (Utterance(Role.COMMANDER, left.pop(0), 0.0),) if left else ()


def listener_for(start: SessionStart) -> ListenerFollower:
    follower = ListenerFollower()
    follower.take_goal(start.task)
    follower.begin()
    return follower
