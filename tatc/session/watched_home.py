"""The home as a session's agents get it: values to read, and a watch over what they do to it.

A simulator acts: who holds one can put the home into any state.  An agent therefore never gets it.
A Commander's oracle holds copies, from which nothing leads to the world.  A Follower's views come
from functions that have no attribute which leads there.  And the home is compared before and after
each call of an agent: a state that no logged action explains is that agent's crash.  What one
process of Python cannot prevent stands in `docs/reference/security.md`.
"""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass, fields
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar

from tatc.base import errors
from tatc.home import actions, observation, percepts, state
from tatc.home.camera.scene_solids import share_measures
from tatc.session import session_types
from tatc.sim.perception import Perception
from tatc.sim.protocol import Simulator
from tatc.tdl import Task

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(slots=True)
class _Shown:
    snapshot: state.Snapshot
    reachable: tuple[state.Pose, ...]


class OracleView:
    """What a Commander may ask (an `Oracle`): values that are nobody else's."""

    __slots__ = ("_shown",)

    def __init__(self, shown: _Shown) -> None:
        """Answer with what is shown."""
        self._shown = shown

    def snapshot(self) -> state.Snapshot:
        """Return all objects and both agents, as they were when the Commander's turn began."""
        return self._shown.snapshot

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return the poses that the Follower's body can get to."""
        return self._shown.reachable


class WatchedHome:
    """The home of one session, as its agents may know it."""

    def __init__(self, sim: Simulator) -> None:
        """Watch a simulator, which need not have been reset yet."""
        self._sim = sim
        self._copies = _SnapshotCopies()
        self._shown: _Shown | None = None
        self._oracle: OracleView | None = None
        self._senses: tuple[Perception | None, Senses] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again where it is needed, and cannot be pickled."""
        return {**self.__dict__, "_senses": None}

    def oracle(self) -> OracleView:
        """Return the session's oracle, which shows the home as it is now until the next call."""
        now = self._copies.of(self._sim.snapshot())
        if self._shown is None or self._oracle is None:
            poses = tuple(state.Pose(p.x, p.z, p.yaw, p.horizon) for p in self._sim.reachable())
            self._shown = _Shown(now, poses)
            self._oracle = OracleView(self._shown)
        self._shown.snapshot = now
        return self._oracle

    def senses(self, perception: Perception | None) -> "Senses":
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


@dataclass(frozen=True, slots=True)
class Senses:
    """What `Observation` has of the same names."""

    frame: Callable[[], observation.Frame | None]
    segments: Callable[[int], observation.SegmentationFrame | None]
    percepts: Callable[[], percepts.View | None] | None


def senses_in(sim: Simulator, perception: Perception | None) -> Senses:
    """Return what a Follower sees with in a home."""
    follower = actions.Role.FOLLOWER
    return Senses(
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
    """Return a task that is the agent's own, so that nothing it does to it changes the session's.

    Of a task of another class, the parts are shared.
    """
    return Task(deepcopy(task.definition)) if type(task) is Task else copy(task)


class _SnapshotCopies:
    """Copies snapshots; an object that has not changed since the last one is the same copy."""

    def __init__(self) -> None:
        self._last: tuple[state.Snapshot, state.Snapshot] | None = None

    def of(self, now: state.Snapshot) -> state.Snapshot:
        """Return a copy that shares nothing with a snapshot which could be written through."""
        if self._last is None:
            copies = _copy_objects(now.objects)
            share_measures(now.objects, copies)
        elif now is self._last[0]:
            return self._last[1]
        else:
            copies = self._with_changes(now.objects)
        index = state.ObjectIndex(
            MappingProxyType(dict(now.object_index.by_id)),
            MappingProxyType(dict(now.object_index.by_type)),
        )
        agents = _copy_agent(now.commander), _copy_agent(now.follower)
        copied = state.Snapshot(tuple(copies), index, *agents)
        self._last = now, copied
        return copied

    def _with_changes(self, objects: Sequence[state.ObjectState]) -> list[state.ObjectState]:
        assert self._last is not None
        seen, copies = self._last[0].objects, list(self._last[1].objects[: len(objects)])
        for i, (obj, before) in enumerate(zip(objects, seen, strict=False)):
            if obj is not before:
                same_box = obj.box is before.box
                copies[i] = _copy_objects((obj,), copies[i].box if same_box else None)[0]
        added = objects[len(copies) :]
        return [*copies, *_copy_objects(added)] if added else copies


_names = tuple(each.name for each in fields(state.ObjectState))
_object_values = attrgetter(*_names)
_object_setters: tuple[Callable[[state.ObjectState, Any], None], ...] = tuple(
    vars(state.ObjectState)[name].__set__ for name in _names
)
_affordance_values = attrgetter(*(each.name for each in fields(state.Affordances)))


def _copy_objects(
    objects: Sequence[state.ObjectState], box: state.Box | None = None
) -> list[state.ObjectState]:
    """Return copies with boxes (or with this one) and affordances of their own.

    It goes by fields, in half the time: a home's first copy is the longest part of a short turn.
    """
    copies = [object.__new__(state.ObjectState) for _ in objects]
    affordances: dict[int, state.Affordances] = {}
    for obj in objects:
        able = obj.affordances
        if id(able) not in affordances:
            affordances[id(able)] = state.Affordances(*_affordance_values(able))
    columns = dict(zip(_names, zip(*map(_object_values, objects), strict=True), strict=True))
    columns["affordances"] = tuple(affordances[id(each)] for each in columns["affordances"])
    columns["box"] = tuple(
        box or state.Box(each.center, each.size, each.yaw) for each in columns["box"]
    )
    for set_value, values in zip(_object_setters, columns.values(), strict=True):
        deque(map(set_value, copies, values), maxlen=0)
    return copies


def _copy_agent(agent: state.AgentState) -> state.AgentState:
    return state.AgentState(agent.position, agent.yaw, agent.horizon, agent.body)
