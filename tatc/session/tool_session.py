"""Sessions in which one agent, or both, are played by tool calls in the text world.

`ToolSession` plays one session, and can be saved, restored and forked.
"""

import json
import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from copyreg import dispatch_table
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from hashlib import sha256
from io import BytesIO
from threading import local
from typing import Any, cast

from tatc.base.errors import UsageError
from tatc.commander import Commander
from tatc.home.actions import Role
from tatc.home.percepts import View
from tatc.home.state import ObjectState, Snapshot
from tatc.language.llm.chat_request import estimate_tokens
from tatc.session import loop, play, records, session_record, session_types
from tatc.session.agents import session_setup
from tatc.session.agents.agents import ExternalCommander, ExternalFollower
from tatc.session.start import SessionStart
from tatc.session.text_world import CommanderInterface, FollowerInterface, Grain, text_agents
from tatc.session.text_world.seen_objects import SeenObject
from tatc.session.text_world.tools import Refused, ToolSpec
from tatc.session.text_world.wording import refusal
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Progress, Task

# Where a session stands, kept so that it can go on from there again.  It shares all values that
# never change with the session that it was taken from, and holds a copy of the rest: the log, what
# was heard, the names of objects, the agents' memories.

_SHARED_TYPES = (
    *(EmbeddedSimulator, ObjectState, Progress, SeenObject, SessionStart),
    *(Snapshot, Task, ToolSpec, View),
)
"""Values that never change, and the simulator, whose state is the snapshot."""
_loading = local()


@dataclass(frozen=True, slots=True, eq=False)
class SavedState:
    """Where a session stands: its home, and the rest as `data`, in which `shared` is left out."""

    world: Snapshot
    data: bytes
    shared: tuple[Any, ...]


def save_state(world: Snapshot, parts: object) -> SavedState:
    """Save the state of a home and the parts of its session."""
    shared: list[Any] = []
    index_of: dict[int, int] = {}

    def share(value: object) -> tuple[Callable[[int], Any], tuple[int]]:
        index = index_of.setdefault(id(value), len(shared))
        if index == len(shared):
            shared.append(value)
        return _shared_value, (index,)

    buffer = BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {**dispatch_table, **dict.fromkeys(_SHARED_TYPES, share)}
    try:
        pickler.dump(parts)
    except (pickle.PicklingError, TypeError, AttributeError) as fault:
        why = f"an agent's state cannot be copied: {fault}"
        raise UsageError(why, fix="keep no open files, locks or functions in the agent") from fault
    return SavedState(world, buffer.getvalue(), tuple(shared))


def load_parts(saved: SavedState, sim: EmbeddedSimulator) -> Any:
    """Return a copy of the parts of a saved session, which then use the simulator `sim`."""
    _loading.shared = tuple(
        sim if isinstance(value, EmbeddedSimulator) else value for value in saved.shared
    )
    try:
        return pickle.loads(saved.data)  # our own bytes, which never left this process
    finally:
        del _loading.shared


def _shared_value(index: int) -> Any:
    return _loading.shared[index]


def state_hash(world: Snapshot, *rest: object) -> str:
    """Return the SHA-256, in hexadecimal, of a home's and other values: equal in every process."""
    state = [world.objects, world.commander, world.follower, *rest]
    text = json.dumps(_plain(state), separators=(",", ":"), allow_nan=False, ensure_ascii=True)
    return sha256(text.encode()).hexdigest()


def _plain(value: object) -> Any:
    """Return a value as JSON; values are told apart by their fields' order, without names."""
    if value is None or (isinstance(value, bool | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if is_dataclass(value):
        return [_plain(getattr(value, name)) for name in _field_names(type(value))]
    if isinstance(value, Mapping):
        given = cast(Mapping[object, object], value)
        rows = ([str(_plain(k)), _plain(v)] for k, v in given.items())
        return sorted(rows, key=lambda row: row[0])
    return [_plain(each) for each in cast(Sequence[object], value)]


@cache
def _field_names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.compare)


DEFAULT_SETUP = session_setup.SessionSetup(wording="bearings")
"""The rule agents; the Commander describes the way and the objects in words."""


class ToolSession:
    """A session of which one agent, or both, are played by tool calls.

    `turn` says who is to call.  `text` is what that agent reads, `call` takes its tool call.
    `refused_calls` counts those that were not carried out, also after a `restore`.  Agents that are
    not played act by themselves in between.
    """

    def __init__(
        self,
        start: SessionStart,
        setup: session_setup.SessionSetup = DEFAULT_SETUP,
        *,
        plays: Collection[Role] = (Role.FOLLOWER,),
        grain: Grain = Grain.GO_TO,
        limits: session_types.SessionLimits = session_types.TATC_LIMITS,
        commander: Callable[[], Commander] | None = None,
    ) -> None:
        """Start a session; `setup`, or `commander`, has the agents of roles not in `plays`."""
        self.start, self.plays, self.limits = start, frozenset(plays), limits
        agents = _with_played(setup, self.plays, commander)
        self.setup = agents.setup
        self.restores = self.refused_calls = 0
        self._sim, self._recorded_map = play.make_simulator(start, setup)
        self._agents = agents.make()
        self.loop = loop.Session(
            self._sim, start.task, *self._agents, limits=limits, perception=self.setup.perception
        )
        """The loop of the session, which no played agent may read."""
        self.loop.start(start.scene)
        self.follower_interface = FollowerInterface(grain, start.scene.initial.follower.body)
        self.commander_interface = CommanderInterface(self.loop.oracle, start.task)
        self._let_others_act()

    @property
    def turn(self) -> Role:
        """Whose turn it is."""
        return self.loop.turn

    @property
    def end(self) -> records.SessionEnd | None:
        """How the session ended, None while it goes on."""
        return self.loop.end

    def text(self, role: Role) -> str:
        """Return all that an agent reads now."""
        return self._interface(role).reading.whole

    def tokens(self, role: Role) -> int:
        """Return about how many tokens an agent's text has."""
        return estimate_tokens(self.text(role))

    def tools(self, role: Role) -> list[dict[str, Any]]:
        """Return an agent's tools, each with its name, description and JSON schema."""
        return [each.schema() for each in self._interface(role).tools]

    def _interface(self, role: Role) -> FollowerInterface | CommanderInterface:
        self._check_played(role)
        return self.follower_interface if role is Role.FOLLOWER else self.commander_interface

    def call(self, role: Role, name: object, arguments: object = None) -> str:
        """Carry out a call or say why not, let the others act, and return what the agent reads.

        That is what has changed since its last call; `text` has the whole.
        """
        self._check_played(role)
        if self.end is not None:
            return refusal("ended", end=self.end.value)
        if self.turn is not role:
            return refusal("not_your_turn")
        if role is Role.FOLLOWER:
            self._call_as_follower(name, arguments)
        else:
            self._call_as_commander(name, arguments)
        self._let_others_act()
        if role is Role.FOLLOWER:  # the whole of what it reads is not made here: that takes long
            return self.follower_interface.text.changes
        return self.commander_interface.reading.changes

    def snapshot(self) -> Snapshot:
        """Return the home as it is now, which no played agent may read."""
        return self._sim.snapshot()

    def result(self) -> session_types.SessionResult:
        """Capture the state, check the task, and return the result so far."""
        return self.loop.result()

    def record(self) -> records.Record:
        """Return the record so far: TEACh's, with the text interface's version and hash."""
        made = session_record.make_record(self.start, self.result(), self._recorded_map, self.setup)
        restores = (("restores", self.restores),) if self.restores else ()
        return replace(made, options=(*made.options, *restores))

    def save(self) -> SavedState:
        """Return where the session stands, for `restore` and `fork`."""
        if not isinstance(self._sim, EmbeddedSimulator):
            why = "a session with noise, or in another world, cannot be saved"
            raise UsageError(why, fix="leave out the noise and use tatc's own world")
        parts = (self.loop, self._agents, self.follower_interface, self.commander_interface)
        return save_state(self._sim.snapshot(), parts)

    def restore(self, saved: SavedState) -> None:
        """Go back to where this session stood when it was saved; the record counts that."""
        assert isinstance(self._sim, EmbeddedSimulator)
        self._sim.restore(saved.world)
        parts = load_parts(saved, self._sim)
        self.loop, self._agents, self.follower_interface, self.commander_interface = parts
        self.restores += 1

    def fork(self, saved: SavedState) -> "ToolSession":
        """Return another session that goes on from where this one stood; it counts as restored."""
        other = copy(self)
        other._sim, _ = play.make_simulator(self.start, self.setup)
        other._sim.reset(self.start.scene)
        other.restore(saved)
        return other

    def state_hash(self) -> str:
        """Return the hash of home, log, turn and what agents read, the same in every process."""
        done = self.loop.interactions
        read = [str(self.follower_interface.text), self.commander_interface.reading.whole]
        return state_hash(self._sim.snapshot(), done, self.turn.name, self.end, read)

    def close(self) -> None:
        """Release what the simulator holds."""
        self._sim.close()

    def _call_as_follower(self, name: object, arguments: object) -> None:
        side, follower = self.follower_interface, self._agents[1]
        assert isinstance(follower, PlayedFollower)
        if side.call(name, arguments) is not None:
            self.refused_calls += 1
            return
        action = side.next_action()
        while action is not None:
            follower.next_action = action
            self.loop.step()
            if not side.has_more:
                return
            side.observe(self.loop.observe())
            action = None if self.end is not None else side.next_action()

    def _call_as_commander(self, name: object, arguments: object) -> None:
        side, commander = self.commander_interface, self._agents[0]
        assert isinstance(commander, PlayedCommander)
        action = side.call(name, arguments)
        if isinstance(action, Refused):
            self.refused_calls += 1
        if action is None or isinstance(action, Refused):
            return
        commander.next_action = action
        self.loop.step()

    def _let_others_act(self) -> None:
        """Let agents that are not played act, then take in what the next one perceives."""
        while self.end is None and self.turn not in self.plays:
            self.loop.step()
        if self.turn is Role.FOLLOWER and Role.FOLLOWER in self.plays:
            self.follower_interface.observe(self.loop.observe())
        if self.turn is Role.COMMANDER and Role.COMMANDER in self.plays:
            self.commander_interface.observe(self.loop.commander_view())

    def _check_played(self, role: Role) -> None:
        if role not in self.plays:
            why = f"the {role.name.title()} is not played by tool calls"
            raise UsageError(why, fix="name the role in plays")


def _with_played(
    setup: session_setup.SessionSetup,
    plays: Collection[Role],
    commander: Callable[[], Commander] | None,
) -> session_setup.ResolvedAgents:
    """Return the agents of a setup, those that are played in place of the ones that it names."""
    if Role.COMMANDER in plays:
        setup = replace(setup, commander=PLAYED_NAME, wording="actions")
    if Role.FOLLOWER in plays:
        setup = replace(setup, follower=PLAYED_NAME, perception=None)
    overrides = session_setup.AgentOverrides(
        PlayedCommander if Role.COMMANDER in plays else commander,
        PlayedFollower if Role.FOLLOWER in plays else None,
    )
    return session_setup.resolve_agents(setup, overrides)


PLAYED_NAME = "tools"  # how a record names an agent that was played by tool calls


class PlayedFollower(text_agents.TextAgent, ExternalFollower):
    """A Follower whose next action a tool call has decided."""

    traits = text_agents.TEXT_FOLLOWER_TRAITS


class PlayedCommander(text_agents.TextAgent, ExternalCommander):
    """A Commander whose next action a tool call has decided."""

    traits = text_agents.TEXT_COMMANDER_TRAITS
