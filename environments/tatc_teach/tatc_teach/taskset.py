"""The sessions of a split of tatc as tasks, and how a seat's trace is scored."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from tatc.base.errors import BadInput
from tatc.home.actions import PRIMITIVE_VERBS
from tatc.session.records import SessionEnd
from tatc.session.start import SessionStart, Split, load_split, start_from_room_name
from tatc.session.tool_session import ToolSession
from tatc.tdl import shipped_library

OUTCOME = "tatc"
"""Under this key of a trace's `info` stands how its session went, as `outcome_of` returns it."""


class TeachData(vf.TaskData):
    """Which session of which split; for a seat also its role and its tools.

    `number` counts the sessions that a split lists, or numbers the draw from one without a list.
    """

    split: str
    number: int
    role: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)


class TeachTask(vf.Task[TeachData]):
    """One session.  The environment notes its outcome in each seat's trace, and this scores it."""

    def start(self) -> SessionStart:
        """Return the start of the session."""
        split = load_split(self.data.split)
        if (listed := _listed(split)) is None:
            return split.draw(self.data.number)
        room, task, seed = listed[self.data.number]
        return start_from_room_name(room, shipped_library(), task, (), seed)

    @vf.reward
    async def goal_conditions(self, trace: vf.Trace) -> float:
        """Return the share of goal conditions gained, of those unmet at the start.

        Both seats earn the same: they work on one task.
        """
        outcome = trace.info[OUTCOME]
        before, total = outcome["met_at_start"], outcome["total"]
        gained = max(0, outcome["met"] - before)
        return gained / (total - before) if total > before else 1.0

    @vf.metric
    async def outcome(self, trace: vf.Trace) -> dict[str, float]:
        """Return whether the task is done, and counts: TEACh's steps, and this seat's calls."""
        names = ("success", "steps", "failed_steps", "calls", "refused_calls", "silent_answers")
        return {name: float(trace.info[OUTCOME][name]) for name in names}


class TeachTasksetConfig(vf.TasksetConfig):
    """Settings of the taskset."""

    split: str = "train"
    """A split of tatc: `train` to train and `valid_unseen` to validate, or an `ithor_*` one."""


class TeachTaskset(vf.Taskset[TeachTask, TeachTasksetConfig]):
    """The sessions that a split lists; draws without end from a split without a list (`train`)."""

    def __init__(self, config: TeachTasksetConfig) -> None:
        """Refuse a split that does not exist."""
        super().__init__(config)
        self._listed = _listed(load_split(config.split))
        self.INFINITE = self._listed is None

    def load(self) -> Iterator[TeachTask]:
        """Yield the tasks, whose homes are made when they are played."""
        split = self.config.split
        for number in count() if self._listed is None else range(len(self._listed)):
            data = TeachData(name=f"{split} {number}", split=split, number=number)
            yield TeachTask(data, self.config.task)


def _listed(split: Split) -> tuple[tuple[str, str, int], ...] | None:
    try:
        return split.sessions()
    except BadInput:
        return None


def outcome_of(session: ToolSession, end: SessionEnd) -> dict[str, Any]:
    """Return how a session went that ended so: its goal conditions and its steps."""
    result = session.result()
    total = result.progress.goal_conditions_total
    before = session.start.task.check(result.start).goal_conditions_satisfied
    return {
        "session": session.start.session_id,
        "end": end.value,
        "success": result.progress.success,
        "met": min(result.progress.goal_conditions_satisfied, total),
        "met_at_start": min(before, total),
        "total": total,
        "steps": len(result.interactions),
        "failed_steps": sum(
            each.verb in PRIMITIVE_VERBS and each.success is False for each in result.interactions
        ),
    }
