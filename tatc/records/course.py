"""A recorded session as questions to a world, apart from what was answered then.

What answers gets a `Question`, which has no `success` and no object.  The recorded
answer is kept beside it, for counting and for putting the world back afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.actions import INTERACTIONS, TRANSLATIONS, Action, Click, Role, Verb
from tatc.records.game import Game
from tatc.records.interaction import Interaction, LoggedPose
from tatc.records.states import on_grid
from tatc.state import AgentState, Vec3

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
class Lay:
    """How a thing lay: its position, metres, and its rotation, degrees."""

    position: Vec3
    rotation: Vec3


@dataclass(frozen=True, slots=True)
class Recorded:
    """What AI2-THOR answered; `object_id` is set where an interaction succeeded.

    `lay` says how a thing lay when it was cut: it stays so to the recorded end.
    """

    success: bool
    object_id: str | None
    lay: Lay | None = None


Step = tuple[Question, Recorded]


def course_of(game: Game) -> tuple[Step, ...]:
    """Return the Follower's translations and interactions, in order.

    Raises:
        GameFormatError: an interaction cannot be read.

    """
    return tuple(_steps(game))


def _steps(game: Game) -> Iterator[Step]:
    body = game.scene.start.follower
    for i, each in enumerate(game.interactions):
        if each.role is not Role.FOLLOWER:
            continue
        if each.verb in _ASKED:
            yield (
                Question(i, each.verb, body, each.click),
                Recorded(bool(each.success), each.object_id, _lay(game, each)),
            )
        if each.pose is not None:
            body = body_at(each.pose)


def _lay(game: Game, done: Interaction) -> Lay | None:
    if done.verb is not Verb.SLICE or done.object_id is None:
        return None
    whole = game.final.get(done.object_id)
    if whole is None or not whole.isSliced:
        return None
    return Lay(whole.position, whole.rotation)


def body_at(pose: LoggedPose) -> AgentState:
    """Return the body of a logged pose (spec section 2.14)."""
    z, minus_x, y, _, horizon, minus_yaw = pose
    return on_grid(AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon))
