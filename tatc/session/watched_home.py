"""The home as a session's agents get it: values to read, and a watch over what they do to it.

A simulator acts: who holds one can put the home into any state.  A Commander's oracle therefore
holds copies, and a Follower sees through functions without an attribute that leads to the world.
What one process of Python cannot prevent stands in `docs/reference/security.md`.
"""

import pickle
from collections.abc import Callable, Generator
from contextlib import contextmanager
from copy import copy
from dataclasses import fields, replace
from functools import lru_cache
from itertools import zip_longest
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.base import errors
from tatc.home import actions, observation, percepts, state
from tatc.session import session_types
from tatc.sim.perception import Perception
from tatc.sim.protocol import Simulator
from tatc.tdl import Task

Function = TypeVar("Function", bound=Callable[..., Any])
Senses = tuple[
    Callable[[], observation.Frame | None],
    Callable[[int], observation.SegmentationFrame | None],
    Callable[[], percepts.View | None] | None,
]
"""The last three fields of an `Observation`."""
Poses = tuple[state.Pose, ...]


class OracleView:
    """What a Commander may ask (an `Oracle`): values that are nobody else's."""

    __slots__ = ("_poses", "shown")

    def __init__(self, shown: state.Snapshot, poses: Callable[[], Poses] | Poses) -> None:
        """Take the home as it is shown, and the poses that can be reached, or what finds them."""
        self.shown, self._poses = shown, poses

    def __reduce__(self) -> tuple[type["OracleView"], tuple[state.Snapshot, Poses]]:
        """Find the poses: what finds them cannot be pickled."""
        return OracleView, (self.shown, self.reachable())

    def snapshot(self) -> state.Snapshot:
        """Return all objects and both agents, as they were when the Commander was called."""
        return self.shown

    def reachable(self) -> Poses:
        """Return the poses that the Follower's body can get to."""
        if callable(self._poses):
            self._poses = self._poses()
        return self._poses


class WatchedHome:
    """The home of one session, as its agents may know it."""

    def __init__(self, sim: Simulator) -> None:
        """Watch a simulator, which need not have been reset yet."""
        self._sim = sim
        self._last: tuple[state.Snapshot, state.Snapshot] | None = None  # and its copy
        self._oracle: OracleView | None = None
        self._senses: tuple[Perception | None, Senses] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again where it is needed, and cannot be pickled."""
        return {**self.__dict__, "_senses": None}

    def oracle(self) -> OracleView:
        """Return the session's oracle, which shows the home as it is now until the next call."""
        now = self._copied(self._sim.snapshot())
        if self._oracle is None:
            find, copied = self._sim.reachable, state.Pose
            poses = hidden(lambda: tuple(copied(p.x, p.z, p.yaw, p.horizon) for p in find()))
            self._oracle = OracleView(now, poses)
        self._oracle.shown = now
        return self._oracle

    def senses(self, perception: Perception | None) -> Senses:
        """Return what the Follower sees with, which shows the home as it is when it is used."""
        if self._senses is None or self._senses[0] is not perception:
            self._senses = perception, senses_in(self._sim, perception)
        return self._senses[1]

    @contextmanager
    def asking(self, role: actions.Role) -> Generator[None]:
        """Let the block call an agent: what it raises, or does to the home, is its crash."""
        if role is actions.Role.COMMANDER:
            self.oracle()
        before = self._sim.snapshot()
        with session_types.crashes_blamed_on(role):
            yield
        after = self._sim.snapshot()
        if after is not before and after != before:
            who = role.name.capitalize()
            why = f"the {who} crashed: it changed the home itself, by no action of the session"
            raise errors.AgentCrash(why, fix="let it return actions")

    def _copied(self, now: state.Snapshot) -> state.Snapshot:
        """Return a copy of a snapshot; objects that have not changed are the same copies."""
        before, known = self._last or (None, None)
        if known is not None and now is before:
            return known
        seen = zip(before.objects, known.objects, strict=True) if before and known else ()
        able: dict[int, state.Affordances] = {}
        copies = tuple(
            pair[1] if pair and pair[0] is obj else _copy_object(obj, pair, able)
            for obj, pair in zip_longest(now.objects, seen)
            if obj is not None
        )
        index = state.ObjectIndex(
            MappingProxyType(dict(now.object_index.by_id)),
            MappingProxyType(dict(now.object_index.by_type)),
        )
        made = state.Snapshot(copies, index, replace(now.commander), replace(now.follower))
        self._last = now, made
        return made


_affordance_values = attrgetter(*(each.name for each in fields(state.Affordances)))


def _copy_object(
    obj: state.ObjectState,
    known: tuple[state.ObjectState, state.ObjectState] | None,
    able: dict[int, state.Affordances],
) -> state.ObjectState:
    """Return a copy that shares nothing which could be written through, with a box that is known.

    `able` holds the affordances that are copied already, by their identity.
    """
    if known is not None and known[0].box is obj.box:
        box = known[1].box
    else:
        box = state.Box(obj.box.center, obj.box.size, obj.box.yaw)
    key = id(obj.affordances)
    if key not in able:
        able[key] = state.Affordances(*_affordance_values(obj.affordances))
    return obj.with_values(box=box, affordances=able[key])


def senses_in(sim: Simulator, perception: Perception | None) -> Senses:
    """Return what a Follower sees with in a home."""
    follower = actions.Role.FOLLOWER
    return (
        hidden(lambda: sim.frame(follower)),
        hidden(lambda size: sim.segments(follower, size)),
        None if perception is None else hidden(perception.view),
    )


def hidden(function: Function) -> Function:
    """Return a callable that calls a function, and has no attribute that leads to it."""
    call: Any = lru_cache(maxsize=0)(function)
    del call.__wrapped__
    return call


def copy_for_agent(task: Task) -> Task:
    """Return a task that is the agent's own; one of another class shares its parts."""
    return Task(pickle.loads(pickle.dumps(task.definition))) if type(task) is Task else copy(task)
