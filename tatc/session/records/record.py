"""The record of a session of tatc's: what was done, and why each utterance was said."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tatc.home.actions import PRIMITIVE_VERBS, Role
from tatc.home.state import Scene, Snapshot
from tatc.language.llm.model_call import RecordedModelCall
from tatc.session.records.interaction import Interaction

JsonScalar = str | int | float | bool | None
"""A JSON value that is neither an array nor an object."""

RecordedProblemKey = tuple[str, str, str, JsonScalar]
"""A problem key: object id, object type, property name, desired value."""


def session_id_of(game_id: str | None, place: str, task_name: str, seed: int) -> str:
    """Return the session's name, also of files: its game's id, or "kitchen-03_clean-all-x_7"."""
    if game_id is not None:
        return game_id
    task = "".join(c if c.isprintable() and c not in " /\\" else "-" for c in task_name.lower())
    return f"{place}_{task}_{seed}"


class SessionEnd(StrEnum):
    """How a session ended.

    The last two are a language model's: its calls or tokens are used up, or no answer is usable.
    """

    SUCCESS = "success"
    GAVE_UP = "gave_up"
    STEP_LIMIT = "step_limit"
    FAILURE_LIMIT = "failure_limit"
    CRASHED = "crashed"
    BUDGET_SPENT = "budget_spent"
    MODEL_FAILED = "model_failed"


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """Why the Commander said something.

    `step` is the index of the utterance among the session's interactions.  `problem_key`
    is what it was about, or None.  `alternatives` are the plans that were rejected before,
    each with its reason.  `cost` is the number of primitive actions of the stretch, None if
    the utterance asked for none.  `fallback_reason` says why PDDL planned instead of the
    policies, "" if it did not.  Older records use former names of some skills, which
    `renamed_in_decisions.json` maps to the present ones.
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
    """A saved session: a TEACh game with the Commander's decisions.

    `definition` is the task's expanded definition as JSON (`Task.definition_json()`),
    `scene` the session's start, `final` the state at its end.  `gc_total` and
    `gc_satisfied` count the goal conditions at the end.  `world` names the simulator;
    `floor_map` and `map_hash` name its map, "" if it has none.  `game_id` is the recorded
    game that the start is taken from, None if it is made from a room and `seed`.
    `options` are those of the agents and the limits, as names and values.  `model_calls` are the
    requests to language models that played agents, in their order.
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
    model_calls: tuple[RecordedModelCall, ...] = ()

    def __repr__(self) -> str:
        """Return one line: the task, the place, and how the session ended."""
        goals = f"{self.gc_satisfied} of {self.gc_total} goal conditions"
        session = f"{self.task_name} in {self.scene.place}: {self.end}"
        return f"<Record {session}, {goals}, {len(self.interactions)} actions>"

    @property
    def session_id(self) -> str:
        """The session's name: the id of its game, or its place, task and seed."""
        return session_id_of(self.game_id, self.scene.place, self.task_name, self.seed)

    @property
    def task_name(self) -> str:
        """The task's name, such as "Put All X On Y"."""
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
        """Return the number of an agent's interactions, failed ones included."""
        return sum(done.role is role for done in self.interactions)

    @property
    def failed_action_count(self) -> int:
        """The number of the Follower's primitive actions that failed."""
        return sum(
            done.role is Role.FOLLOWER and done.success is False and done.verb in PRIMITIVE_VERBS
            for done in self.interactions
        )
