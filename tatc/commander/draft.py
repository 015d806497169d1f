"""A stretch in the making: steps, and the home as they should leave it.

A draft predicts from boxes and rules alone, never by trying: where the Follower will
stand, what it will hold, what will be open, on and out of sight.  What it cannot
predict (where a thing comes to rest) is *uncertain*, and a skill that needs it ends
the stretch there, so that the next is planned from what then is so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol

from tatc.actions import Verb
from tatc.affordances import affords
from tatc.camera.doors import opened, shut_box
from tatc.camera.rays import EYE_HEIGHT, Eye
from tatc.commander.foresight import Foresight, Saved
from tatc.commander.knowledge import Knowledge, cell_of
from tatc.commander.memory import WEARY, Try
from tatc.commander.trouble import Reason, Trouble
from tatc.language import Step
from tatc.planners.beside import find_beside
from tatc.planners.doors import in_its_way
from tatc.planners.viewpoints import FARTHEST, REACH, Viewpoint, find
from tatc.state import ObjectState, Pose, Vec3

MAX_STEPS = 60
"""Primitives after which a stretch is long enough."""
_VIEWS = 60  # views of a door looked at for one that it leaves room for

Prefer = Callable[[Vec3], float]
"""Scores a point to click on; higher is better, below zero is out of the question."""


class Skill(Protocol):
    """One physical routine: see `tatc.commander.skills`."""

    def plan(self, draft: "Draft") -> Trouble | None:
        """Add the missing steps to the draft; None where all of them could be."""
        ...


Plan = tuple[Skill, ...]
"""Skills to carry out one after the other."""


class Draft:
    """Steps to say next, and what they should lead to."""

    def __init__(self, known: Knowledge, *, bold: bool = False) -> None:
        """Start from the home as it is; an earlier draft's guesses are forgotten.

        A bold draft also tries what should be too full, or just out of reach.
        """
        self.known = known
        self.bold = bold
        self._ahead = Foresight(known)
        self.steps: list[Step] = []
        self.targets: list[Try | None] = []
        self.poses: list[Pose] = []
        self.points: list[Vec3 | None] = []
        self.pose: Pose = known.pose

    @property
    def held(self) -> str:
        """What the hand should hold after the steps so far, or ""."""
        return self._ahead.held

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object as it should be after the steps so far."""
        return self._ahead.get(object_id)

    def now(self, thing: ObjectState) -> ObjectState:
        """Return this object as it should be after the steps so far."""
        return self._ahead.now(thing)

    def placed(self, object_id: str) -> bool:
        """Whether the steps so far put this object somewhere."""
        return self._ahead.is_uncertain(object_id)

    def do(
        self, verb: Verb, object_id: str, *, prefer: Prefer | None = None
    ) -> Trouble | None:
        """Add the walk to where `verb` can be clicked on an object, and the click.

        Returns:
            None where that worked, else the trouble; then nothing was added.

        """
        thing = self.get(object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, object_id)
        if self._ahead.is_uncertain(object_id):
            return Trouble(Reason.UNCERTAIN, object_id)
        if len(self.steps) >= MAX_STEPS:
            return Trouble(Reason.TOO_LONG)
        attempt = self.attempt(verb, thing)
        if self._refused(attempt):
            return Trouble(Reason.REFUSED, object_id, attempt[2])
        # From where a thing can be clicked does not depend on where the body is, and
        # hardly on what the hand has taken away.
        held = self.held if prefer else ""
        search = (verb, object_id, self._ahead.moved, held, self.bold)
        if search in self.known.hidden:
            return Trouble(Reason.NO_VIEW, object_id)
        view = self._view(attempt, prefer)
        if view is None:
            self.known.hidden.add(search)
            return Trouble(Reason.NO_VIEW, object_id)
        for move in self.known.paths(self.pose).to(view.pose):
            self._add(Step(move), None, self.pose, None)
        hit = self.known.geometry.first(self._eye(view.pose), view.click)
        point = None if hit is None else hit.point
        self._add(Step(verb, thing.objectType, view.click), attempt, view.pose, point)
        self.pose = view.pose
        self._ahead.predict(verb, thing, point)
        return None

    def run(self, plan: Plan) -> Trouble | None:
        """Plan skills one after the other; a plan in trouble leaves no trace.

        A trouble that only asks to wait keeps what was planned before it.
        """
        before = self._saved()
        for skill in plan:
            if trouble := skill.plan(self):
                if not trouble.passes:
                    self._restore(before)
                return trouble
        return None

    def first(self, options: Iterable[Skill], otherwise: Trouble) -> Trouble | None:
        """Plan the first option that can be planned; those before leave no trace.

        Returns:
            None, or a trouble that only asks to wait, where an option worked; else
            the last option's trouble (`otherwise` without options).

        """
        last = otherwise
        for option in options:
            trouble = self.run((option,))
            if trouble is None or trouble.passes:
                return trouble
            last = trouble
        return last

    def _saved(self) -> "_Saved":
        return _Saved(len(self.steps), self.pose, self._ahead.saved())

    def _restore(self, saved: "_Saved") -> None:
        del self.steps[saved.steps :], self.targets[saved.steps :]
        del self.poses[saved.steps :], self.points[saved.steps :]
        self.pose = saved.pose
        self._ahead.restore(saved.ahead)

    def attempt(self, verb: Verb, thing: ObjectState) -> Try:
        """Return what the memory knows a step by."""
        inside = self.known.contents(thing) if verb is Verb.PLACE else ()
        return verb, thing.objectId, self.held, tuple(t.objectId for t in inside)

    def _view(self, attempt: Try, prefer: Prefer | None) -> Viewpoint | None:
        verb, object_id = attempt[:2]
        known, snapshot = self.known, self.known.snapshot

        def accepts(i: int) -> bool:
            return affords(verb, self.now(snapshot.objects[i]))

        target = known.geometry, snapshot.objects, snapshot.roster.index[object_id]
        thing = snapshot.objects[target[2]]
        body_y = snapshot.follower.position[1]
        reach = FARTHEST if self.bold else REACH
        poses = known.stands(thing, self.pose)
        views = find(*target, accepts, poses, body_y, prefer=prefer, reach=reach)
        if verb is not Verb.PLACE and prefer is None:
            poses = known.stands(thing, self.pose)
            beside = find_beside(*target, accepts, poses, body_y, reach=reach)
            views = chain(views, beside)
        memory = known.memory
        fresh = (
            v
            for v in views
            if (attempt, v.pose) not in memory.views
            and (attempt, cell_of(v.pose)) not in memory.stands
        )
        if verb is Verb.OPEN:
            return self._clear_of_door(thing, fresh)
        return next(fresh, None)

    def _clear_of_door(
        self, thing: ObjectState, views: Iterable[Viewpoint]
    ) -> Viewpoint | None:
        """Return the first view whose body the opening part should not touch.

        Where there is none among some, the first of all: it may open all the same.
        """
        shut = shut_box(thing)
        first: Viewpoint | None = None
        for view in islice(views, _VIEWS):
            hit = self.known.geometry.first(self._eye(view.pose), view.click)
            if shut is None or hit is None:
                return view
            if not in_its_way(view.pose, opened(thing, hit.point), shut):
                return view
            first = first or view
        return first

    def _refused(self, attempt: Try) -> bool:
        memory = self.known.memory
        weary = memory.kinds[self.known.kind_of(attempt)] >= WEARY
        return weary or attempt in memory.ruled_out

    def _add(
        self, step: Step, attempt: Try | None, pose: Pose, point: Vec3 | None
    ) -> None:
        self.steps.append(step)
        self.targets.append(attempt)
        self.poses.append(pose)
        self.points.append(point)

    def _eye(self, pose: Pose) -> Eye:
        y = self.known.snapshot.follower.position[1] + EYE_HEIGHT
        return Eye((pose.x, y, pose.z), pose.yaw, pose.horizon)


@dataclass(frozen=True, slots=True)
class _Saved:
    steps: int
    pose: Pose
    ahead: Saved
