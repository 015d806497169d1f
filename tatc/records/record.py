"""A session of tatc's as it is kept: what was done, and why each thing was said."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tatc.actions import PRIMITIVE_VERBS, Role
from tatc.records.interaction import Interaction
from tatc.state import Scene, Snapshot

JsonScalar = str | int | float | bool | None
"""A JSON value without parts."""

RecordedProblemKey = tuple[str, str, str, JsonScalar]
"""A problem key: object id, object type, property name, desired value."""


def session_id_of(game_id: str | None, place: str, seed: int) -> str:
    """Return what names a session: its game's id, or its room and seed."""
    return game_id or f"{place}_{seed}"


class SessionEnd(StrEnum):
    """How a session ended."""

    SUCCESS = "success"
    GAVE_UP = "gave_up"
    STEP_LIMIT = "step_limit"
    FAILURE_LIMIT = "failure_limit"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """Why the Commander said something.

    `step` is the index of the utterance among the session's interactions;
    `problem_key` is what it was about, None where there was none; `alternatives` are
    those tried and refused first, each with its reason; `cost` is the length of the
    stretch in primitives, None where nothing was asked for.  `fallback_reason` says why
    PDDL planned in place of the policies, "" where it did not.  Older records name some
    skills as they were called then: `renamed_in_decisions.json` has the new names.
    """

    step: int
    utterance: str
    problem_key: RecordedProblemKey | None
    policy: str
    skill: str
    reason: str
    alternatives: tuple[str, ...]
    cost: int | None
    fallback_reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A session as saved: a TEACh game with our decisions beside it.

    `definition` is the task's expanded definition as JSON (`Task.definition_json()`),
    `scene` where the session started, `final` the state at its end.  `gc_total` and
    `gc_satisfied` count the goal conditions at the end.  `world` names the simulator
    and `floor_map` with `map_hash` its map ("" where it has none).  `game_id` is the
    recorded game that gave the start, None where a room and `seed` did.  `options`
    are those of the agents and the limits, as names and values.
    """

    definition: Mapping[str, Any]
    scene: Scene
    final: Snapshot
    interactions: tuple[Interaction, ...]
    decisions: tuple[RecordedDecision, ...]
    end: SessionEnd
    gc_total: int
    gc_satisfied: int
    world: str
    floor_map: str = ""
    map_hash: str = ""
    seed: int = 0
    game_id: str | None = None
    options: tuple[tuple[str, JsonScalar], ...] = ()

    def __repr__(self) -> str:
        """Return one line: the task, the place, and how the session ended."""
        goals = f"{self.gc_satisfied} of {self.gc_total} goal conditions"
        count = len(self.interactions)
        return (
            f"<Record {self.task_name} in {self.scene.place}: {self.end}, {goals}, {count} actions>"
        )

    @property
    def session_id(self) -> str:
        """What names the session: its game's id, or its room and seed."""
        return session_id_of(self.game_id, self.scene.place, self.seed)

    @property
    def task_name(self) -> str:
        """The task's name, "Put All X On Y"."""
        return self.definition["task_name"]

    @property
    def task_params(self) -> tuple[str, ...]:
        """The task's parameters."""
        return tuple(self.definition["task_params"])

    @property
    def success(self) -> bool:
        """Whether the task was complete at the end."""
        return self.end is SessionEnd.SUCCESS

    def count_actions(self, role: Role) -> int:
        """Return how many interactions an agent made, failed ones too."""
        return sum(done.role is role for done in self.interactions)

    @property
    def failed_action_count(self) -> int:
        """How many primitives of the Follower's failed."""
        return sum(
            done.role is Role.FOLLOWER and done.success is False and done.verb in PRIMITIVE_VERBS
            for done in self.interactions
        )
