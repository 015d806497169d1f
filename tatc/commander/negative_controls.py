"""Negative controls: Commanders that are made to fail, to see that the world notices.

Each is the rule Commander with one fault in what it hears, says, asks the oracle or assumes;
none of its code is copied or changed.  A world in which a control often succeeds where its
fault matters forgives too much.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import hypot

from tatc.commander import CommanderView, Oracle, RuleCommander, knowledge
from tatc.home import actions
from tatc.home.state import ObjectState, Pose, Snapshot
from tatc.language import InstructionRequest, Stretch, hear, say
from tatc.tdl import Task

CLICK_SHIFT_FRACTION = 0.05
"""How far the clicks of `ShiftedClicks` are off, as a fraction of the frame."""


class ShiftedClicks(RuleCommander):
    """Says every click 0.05 of the frame too far to the right and too far down.

    A click near the right or lower border is shifted to the other side.  Reports of failures
    reach the Commander with the click that it meant, so that it can learn from them.
    """

    def __init__(self) -> None:
        """Make the Commander; call `begin` before `act`."""
        super().__init__()
        self._intended_steps: dict[actions.PrimitiveStep, actions.PrimitiveStep] = {}

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session, and forget the clicks of the last one."""
        self._intended_steps.clear()
        super().begin(oracle, task)

    def act(self, view: CommanderView) -> actions.Action:
        """Act as the rule Commander, and shift the clicks."""
        intended = self._intended_steps
        changed = _with_changed_reports(
            view, lambda report: replace(report, step=intended.get(report.step, report.step))
        )
        action = super().act(changed)
        message = hear(action.text or "")
        if action.verb is not actions.Verb.TEXT or not isinstance(message, Stretch):
            return action
        intended.clear()
        return replace(action, text=say(Stretch(tuple(map(self._shift_click, message.steps)))))

    def _shift_click(self, step: actions.PrimitiveStep) -> actions.PrimitiveStep:
        if step.click is None:
            return step
        click = actions.Click(_shift_coordinate(step.click.x), _shift_coordinate(step.click.y))
        shifted = replace(step, click=actions.round_click(click))
        self._intended_steps[shifted] = step
        return shifted


class NeverOpens(RuleCommander):
    """Treats every door and lid as if it could not be opened."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session in a home in which, as it is told, nothing can be opened."""
        super().begin(_NothingOpenableOracle(oracle), task)


class _ObstacleBlindKnowledge(knowledge.Knowledge):
    """Knows no better place to stand than at the object itself."""

    def standing_poses(self, obj: ObjectState, start: Pose) -> Iterator[tuple[Pose, int]]:
        """Yield the poses of the nine cells that are nearest to an object."""
        x, z = actions.cell_of(obj.box.center[0], obj.box.center[2])
        paths = self.shortest_paths_from(start)
        for dx, dz in sorted(product((-1, 0, 1), repeat=2), key=lambda d: hypot(*d)):
            for yaw, horizon in product(range(0, 360, 90), self.body.horizons):
                at_x = (x + dx) * actions.GRID_SIZE_METRES
                at_z = (z + dz) * actions.GRID_SIZE_METRES
                pose = Pose(at_x, at_z, float(yaw), horizon)
                if (cost := paths.cost_to(pose)) is not None:
                    yield pose, cost


class IgnoresObstacles(RuleCommander):
    """Walks straight through furniture: it believes that the whole floor is free.

    It approaches an object as closely as cells allow, even into a cupboard or a wall.  A refused
    step reaches it as if the Follower had finished, so that it does not learn where it cannot go.
    """

    knowledge_class = _ObstacleBlindKnowledge

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session in a home whose whole floor, as it is told, is free."""
        super().begin(_FreeFloorOracle(oracle), task)

    def act(self, view: CommanderView) -> actions.Action:
        """Act as the rule Commander, which never hears of a refused motion."""
        moves, asks = actions.MOTION_VERBS, InstructionRequest()
        changed = _with_changed_reports(
            view, lambda report: asks if report.step.verb in moves else report
        )
        return super().act(changed)


class _NothingOpenableOracle:
    def __init__(self, oracle: Oracle) -> None:
        self._oracle, self.reachable = oracle, oracle.reachable
        self._closed_copies: dict[str, tuple[ObjectState, ObjectState]] = {}

    def snapshot(self) -> Snapshot:
        seen = self._oracle.snapshot()
        return replace(seen, objects=tuple(map(self._without_door, seen.objects)))

    def _without_door(self, obj: ObjectState) -> ObjectState:
        """Return the same copy for the same object, so that shapes stay cached."""
        if not obj.affordances.openable:
            return obj
        before = self._closed_copies.get(obj.objectId)
        if before is not None and before[0] is obj:
            return before[1]
        doorless = replace(obj, affordances=replace(obj.affordances, openable=False))
        self._closed_copies[obj.objectId] = obj, doorless
        return doorless


class _FreeFloorOracle:
    def __init__(self, oracle: Oracle) -> None:
        self.snapshot = oracle.snapshot

    def reachable(self) -> tuple[Pose, ...]:
        """Return a pose in every cell between the outermost objects."""
        middles = [obj.box.center for obj in self.snapshot().objects]
        columns = _grid_span(x for x, _, _ in middles)
        rows = _grid_span(z for _, _, z in middles)
        return tuple(Pose(x, z, 0.0, 0.0) for x in columns for z in rows)


def _grid_span(coordinates: Iterable[float]) -> list[float]:
    cells = [round(place / actions.GRID_SIZE_METRES) for place in coordinates]
    first, last = min(cells, default=0), max(cells, default=-1)
    return [cell * actions.GRID_SIZE_METRES for cell in range(first, last + 1)]


def _shift_coordinate(coordinate: float) -> float:
    shifted = coordinate + CLICK_SHIFT_FRACTION
    return shifted if shifted <= 0.99 else coordinate - CLICK_SHIFT_FRACTION


def _with_changed_reports(
    view: CommanderView,
    change: Callable[[actions.FailureReport], actions.FailureReport | InstructionRequest],
) -> CommanderView:
    def reheard(spoken: actions.Utterance) -> actions.Utterance:
        message = hear(spoken.text)
        if spoken.speaker is actions.Role.FOLLOWER and isinstance(message, actions.FailureReport):
            return replace(spoken, text=say(change(message)))
        return spoken

    return replace(view, utterances=tuple(map(reheard, view.utterances)))
