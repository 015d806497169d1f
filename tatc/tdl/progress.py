"""The result of a progress check, with TEACh's exact JSON (spec section 3.8)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tatc.home.state import ObjectState
from tatc.tdl.definition import DesiredValue, Determiner


@dataclass(frozen=True, slots=True)
class SubgoalStep:
    """One line of a subgoal: an object, and whether it is as `text` asks."""

    success: bool
    object_id: str
    object_type: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary."""
        return {
            "success": int(self.success),
            "objectId": self.object_id,
            "objectType": self.object_type,
            "desc": self.text,
        }


@dataclass(frozen=True, slots=True)
class ProblemKey:
    """One property of one object that is not as the task wants it.

    `targets` are the ids of the receptacles that would do, for parentReceptacles only;
    TEACh's JSON has only the type of one of them, which is `desired`.
    """

    object_id: str
    object_type: str
    determiner: Determiner
    property_name: str
    desired: DesiredValue
    targets: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary, without the object's id, which is its key there."""
        return {
            "objectType": self.object_type,
            "determiner": self.determiner,
            "property_name": self.property_name,
            "desired_property_value": self.desired,
        }


@dataclass(frozen=True, slots=True)
class Subgoal:
    """The progress of one part of a task: a component, a nested task, or a relation.

    Only nested tasks have `representative`, an object's id, and `step_successes`.
    `has_no_tail` marks a relation whose receptacle does not exist yet: TEACh then writes the
    problem keys as an empty list instead of an empty object.
    """

    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int
    steps: tuple[SubgoalStep, ...] = ()
    problem_keys: tuple[ProblemKey, ...] = ()
    description: str = ""
    representative: str | None = None
    step_successes: tuple[bool, ...] = ()
    has_no_tail: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return TEACh's dictionary, its keys in TEACh's order."""
        head: dict[str, Any] = {}
        if self.representative is not None:
            head["representative_obj_id"] = self.representative
            head["step_successes"] = [int(success) for success in self.step_successes]
        keys: dict[str, list[dict[str, Any]]] = {}
        for key in self.problem_keys:
            keys.setdefault(key.object_id, []).append(key.to_json())
        return head | {
            "success": int(self.success),
            "description": self.description,
            "steps": [step.to_json() for step in self.steps],
            "problem_keys": [] if self.has_no_tail else keys,
            "goal_conditions_total": self.goal_conditions_total,
            "goal_conditions_satisfied": self.goal_conditions_satisfied,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """The result of a progress check.

    The counts are ready; `make_subgoals` makes the subgoals when they are asked for.
    `satisfied_objects` and `candidate_objects` are those of the task's anchor, None for a task
    without one.  `goal_conditions_satisfied` may exceed the total, as in TEACh (spec section
    3.7).
    """

    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int
    description: str
    satisfied_objects: tuple[ObjectState, ...] | None = field(repr=False)
    candidate_objects: tuple[ObjectState, ...] | None = field(repr=False)
    make_subgoals: Callable[[], tuple[Subgoal, ...]] = field(repr=False, compare=False)

    @property
    def subgoals(self) -> tuple[Subgoal, ...]:
        """The subgoals in the order of the task's components, then those of its relations."""
        return self.make_subgoals()

    def problem_keys(self) -> tuple[ProblemKey, ...]:
        """Return the problem keys of all subgoals in order, each once."""
        keys = (key for subgoal in self.subgoals for key in subgoal.problem_keys)
        return tuple(dict.fromkeys(keys))

    def to_json(self) -> dict[str, Any]:
        """Return the answer of TEACh's OpenProgressCheck."""
        return {
            "task_desc": self.description,
            "success": int(self.success),
            "subgoals": [subgoal.to_json() for subgoal in self.subgoals],
        }
