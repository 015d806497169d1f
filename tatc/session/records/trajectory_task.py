"""What a trajectory of ALFRED is to achieve: one of seven task types, and its parameters."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tatc.base.json_fields import (
    FieldError,
    as_mapping,
    faults_under,
    get_flag,
    get_text_or_empty,
    short_repr,
)


class TaskType(StrEnum):
    """ALFRED's seven task types, as its files spell them."""

    LOOK = "look_at_obj_in_light"
    SIMPLE = "pick_and_place_simple"
    MOVABLE = "pick_and_place_with_movable_recep"
    CLEAN = "pick_clean_then_place_in_recep"
    HEAT = "pick_heat_then_place_in_recep"
    COOL = "pick_cool_then_place_in_recep"
    TWO = "pick_two_obj_and_place"


PARAMETERS_BY_TYPE = {
    kind: ("object_target", "parent_target")
    for kind in TaskType
    if kind not in (TaskType.LOOK, TaskType.MOVABLE)
} | {
    TaskType.LOOK: ("object_target", "toggle_target"),
    TaskType.MOVABLE: ("object_target", "parent_target", "mrecep_target"),
}
"""The parameters that each task type needs."""


@dataclass(frozen=True, slots=True)
class TrajectoryTask:
    """A task: object types as the file spells them, "" where the task type has no such thing."""

    type: TaskType
    object: str
    receptacle: str
    movable: str
    toggle: str
    sliced: bool

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters that the task type uses, by tatc's names for them."""
        given = {
            "object": self.wanted_object,
            "receptacle": self.receptacle,
            "movable": self.movable,
            "toggle": self.toggle,
        }
        return {name: value for name, value in given.items() if value}

    @property
    def wanted_object(self) -> str:
        """The type of what is to be handled: the object, or its slices."""
        return f"{self.object}Sliced" if self.sliced else self.object


def read_trajectory_task(root: Mapping[str, Any]) -> TrajectoryTask:
    """Return the task of a trajectory's JSON.

    Raises:
        FieldError: the task type is none of the seven, or lacks a parameter.

    """
    name = root.get("task_type")
    if name not in list(TaskType):
        why = "is missing" if name is None else f"is none of ALFRED's seven: {short_repr(name)}"
        raise FieldError("task_type", why, f"write one of {', '.join(TaskType)}")
    kind = TaskType(name)
    raw = as_mapping(root.get("pddl_params"), "pddl_params")
    with faults_under("pddl_params"):
        found = {
            field: get_text_or_empty(raw, field)
            for field in ("object_target", "parent_target", "mrecep_target", "toggle_target")
        }
        for field in PARAMETERS_BY_TYPE[kind]:
            if not found[field]:
                raise FieldError(field, f"is empty, but {kind} needs it", "name an object type")
        return TrajectoryTask(kind, *found.values(), sliced=get_flag(raw, "object_sliced"))
