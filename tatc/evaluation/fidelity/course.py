"""A recorded session as questions to a world, apart from what was answered then.

What answers gets a `Question`, which has no `success` and no object.  The recorded
answer is kept beside it, for counting and for putting the world back afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.actions import INTERACTIONS, TRANSLATIONS, Action, Click, Role, Verb
from tatc.records import Game, Interaction, LoggedPose
from tatc.records.states import on_grid
from tatc.state import AgentState, Snapshot

_ASKED = frozenset(INTERACTIONS + TRANSLATIONS)


@dataclass(frozen=True, slots=True)
class Question:
    """What the Follower tried from which pose; `index` is that of the interaction."""

    index: int
    verb: Verb
    body: AgentState
    click: Click | None = None

    @property
    def action(self) -> Action:
        """What to try."""
        return Action(self.verb, self.click)

    @property
    def moves(self) -> bool:
        """Whether it is a translation, not an interaction."""
        return self.verb in TRANSLATIONS


@dataclass(frozen=True, slots=True)
class Recorded:
    """What AI2-THOR answered; `object_id` is set where an interaction succeeded."""

    success: bool
    object_id: str | None


Step = tuple[Question, Recorded]


def course_of(game: Game) -> tuple[Step, ...]:
    """Return the Follower's translations and interactions, in order.

    Raises:
        GameFormatError: an interaction cannot be read.

    """
    return tuple(_steps(game.scene.start.follower, game.interactions))


def _steps(body: AgentState, done: tuple[Interaction, ...]) -> Iterator[Step]:
    for i, each in enumerate(done):
        if each.role is not Role.FOLLOWER:
            continue
        if each.verb in _ASKED:
            yield (
                Question(i, each.verb, body, each.click),
                Recorded(bool(each.success), each.object_id),
            )
        if each.pose is not None:
            body = body_at(each.pose)


def body_at(pose: LoggedPose) -> AgentState:
    """Return the body of a logged pose (spec section 2.14)."""
    z, minus_x, y, _, horizon, minus_yaw = pose
    return on_grid(AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon))


class StandIns:
    """Which object stands for a recorded one that a world lacks.

    A thing may fall into fewer pieces here than it did in the recording; a piece that
    is lacking is stood for by another of the same whole, the same one ever after.
    """

    def __init__(self) -> None:
        """Know of none yet."""
        self._known: dict[str, str] = {}

    def of(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object itself or of its stand-in, None for none."""
        if world.get(object_id) is not None:
            return object_id
        if object_id not in self._known:
            found = self._found(object_id, world)
            if found is None:
                return None
            self._known[object_id] = found
        return self._known[object_id]

    def _found(self, object_id: str, world: Snapshot) -> str | None:
        whole, _, piece = object_id.rpartition("|")
        kind = piece.rpartition("_")[0]
        taken = set(self._known.values())
        found = [
            thing
            for thing in (world.of_type(kind) if kind else ())
            if thing.objectId.startswith(f"{whole}|") and not thing.isPickedUp
        ]
        free = [thing for thing in found if thing.objectId not in taken] or found
        # Last piece first: the recorded ones that are not lacking count from 0.
        return free[-1].objectId if free else None
