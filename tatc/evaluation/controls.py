"""Negative controls: Commanders that are made to fail, to see that the world notices.

Each is the rule Commander with one fault, put between it and what it hears, says, asks
the oracle or takes for granted; no code of it is copied or changed.  A world in which
one of them succeeds often, where its fault matters, forgives too much.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import hypot

from tatc.actions import GRID, MOTIONS, Action, Click, Role, Utterance, Verb
from tatc.commander import CommanderView, Oracle, RuleCommander
from tatc.commander.knowledge import HORIZONS, Knowledge
from tatc.language import Question, Report, Step, Stretch, hear, say, spoken_click
from tatc.state import ObjectState, Pose, Snapshot
from tatc.tdl import Task

SHIFT = 0.05
"""How far the clicks of `Shifted` are off, as a fraction of the frame."""


class Shifted(RuleCommander):
    """Every click is said 0.05 too far to the right and too far down.

    A click at the right or lower border goes to the other side.  Reports of failures
    reach the Commander with the click it meant, so that it learns what it can.
    """

    def __init__(self) -> None:
        """Wait for `begin`."""
        super().__init__()
        self._meant: dict[Step, Step] = {}

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget everything."""
        self._meant.clear()
        super().begin(oracle, task)

    def act(self, view: CommanderView) -> Action:
        """Do as the rule Commander does, then shift the clicks."""
        action = super().act(_reheard(view, self._unshifted))
        message = hear(action.text or "")
        if action.verb is not Verb.TEXT or not isinstance(message, Stretch):
            return action
        self._meant.clear()
        steps = tuple(map(self._shifted, message.steps))
        return replace(action, text=say(Stretch(steps)))

    def _shifted(self, step: Step) -> Step:
        if step.click is None:
            return step
        click = Click(_off(step.click.x), _off(step.click.y))
        shifted = replace(step, click=spoken_click(click))
        self._meant[shifted] = step
        return shifted

    def _unshifted(self, report: Report) -> Report | Question:
        return replace(report, step=self._meant.get(report.step, report.step))


class NeverOpens(RuleCommander):
    """Takes every door and lid for a wall: to it nothing can be opened."""

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget everything."""
        super().begin(_NothingOpens(oracle), task)


class _StraightUp(Knowledge):
    """Knows no better place to stand than at a thing itself."""

    def stands(self, thing: ObjectState, start: Pose) -> Iterator[tuple[Pose, int]]:
        """Yield the poses of the nine cells that are nearest to a thing."""
        x, _, z = (round(at / GRID) for at in thing.box.center)
        paths = self.paths(start)
        for dx, dz in sorted(product((-1, 0, 1), repeat=2), key=lambda d: hypot(*d)):
            for yaw, horizon in product(range(0, 360, 90), HORIZONS):
                pose = Pose((x + dx) * GRID, (z + dz) * GRID, float(yaw), horizon)
                if (cost := paths.cost(pose)) is not None:
                    yield pose, cost


class Straight(RuleCommander):
    """Walks straight through furniture: to it the whole floor is free, and stays so.

    It goes up to a thing as near as cells come, be that in a cupboard or a wall.
    Refused steps reach the Commander as if nothing were left to do, so that it does
    not learn where it cannot go.
    """

    knowledge = _StraightUp

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget everything."""
        super().begin(_NothingStands(oracle), task)

    def act(self, view: CommanderView) -> Action:
        """Do as the rule Commander does, deaf to steps that were refused."""
        return super().act(_reheard(view, _unmoved))


class _NothingOpens:
    """An oracle that says of everything that it cannot be opened."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._told: dict[str, tuple[ObjectState, ObjectState]] = {}

    def snapshot(self) -> Snapshot:
        """Return the home, everything as if without doors and lids."""
        seen = self._oracle.snapshot()
        return replace(seen, objects=tuple(map(self._shut, seen.objects)))

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower can stand."""
        return self._oracle.reachable()

    def _shut(self, thing: ObjectState) -> ObjectState:
        """Return the same object for the same object, so that shapes are kept."""
        if not thing.affordances.openable:
            return thing
        before = self._told.get(thing.objectId)
        if before is not None and before[0] is thing:
            return before[1]
        affordances = replace(thing.affordances, openable=False)
        told = replace(thing, affordances=affordances)
        self._told[thing.objectId] = thing, told
        return told


class _NothingStands:
    """An oracle that says of the whole floor that one can stand there."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def snapshot(self) -> Snapshot:
        """Return the home."""
        return self._oracle.snapshot()

    def reachable(self) -> tuple[Pose, ...]:
        """Return every cell between the outermost things."""
        middles = [thing.box.center for thing in self.snapshot().objects]
        columns = _between(x for x, _, _ in middles)
        rows = _between(z for _, _, z in middles)
        return tuple(Pose(x, z, 0.0, 0.0) for x in columns for z in rows)


def _between(places: Iterable[float]) -> list[float]:
    cells = [round(place / GRID) for place in places]
    first, last = min(cells, default=0), max(cells, default=-1)
    return [cell * GRID for cell in range(first, last + 1)]


def _off(place: float) -> float:
    return place + SHIFT if place + SHIFT <= 0.99 else place - SHIFT


def _unmoved(report: Report) -> Report | Question:
    return Question() if report.step.verb in MOTIONS else report


def _reheard(
    view: CommanderView, change: Callable[[Report], Report | Question]
) -> CommanderView:
    """Return a view in which the Follower's reports are changed."""

    def reheard(spoken: Utterance) -> Utterance:
        message = hear(spoken.text)
        if spoken.speaker is Role.FOLLOWER and isinstance(message, Report):
            return replace(spoken, text=say(change(message)))
        return spoken

    return replace(view, utterances=tuple(map(reheard, view.utterances)))
