"""A recorded session as attempts that a world can repeat, apart from their recorded results.

The world gets a `RecordedAttempt`, which has no success and no object.  The recorded result
is kept separately, to compare with and to restore the world's state afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tatc.home.actions import INTERACTION_VERBS, TRANSLATION_VERBS, Action, Click, Role, Verb
from tatc.home.state import AgentState, Snapshot, Vec3
from tatc.session.records.episode_states import snap_to_grid
from tatc.session.records.game import Game
from tatc.session.records.interaction import Interaction, LoggedPose

_COMPARED_VERBS = frozenset(INTERACTION_VERBS + TRANSLATION_VERBS)


@dataclass(frozen=True, slots=True)
class RecordedAttempt:
    """An action of the Follower and its pose before; `index` is that of the interaction."""

    index: int
    verb: Verb
    agent: AgentState
    click: Click | None = None

    @property
    def action(self) -> Action:
        """The action to repeat."""
        return Action(self.verb, self.click)

    @property
    def is_translation(self) -> bool:
        """Whether it is a translation, not an interaction."""
        return self.verb in TRANSLATION_VERBS


@dataclass(frozen=True, slots=True)
class SlicedObjectPose:
    """The pose of a sliced object: metres, and degrees about x, y and z."""

    position: Vec3
    rotation: Vec3


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """What AI2-THOR answered; `object_id` is set where an interaction succeeded.

    `sliced_pose` says how a thing lay when it was cut: it stays so to the recorded end.
    """

    success: bool
    object_id: str | None
    sliced_pose: SlicedObjectPose | None = None


RecordedStep = tuple[RecordedAttempt, RecordedResult]


def recorded_steps(game: Game) -> tuple[RecordedStep, ...]:
    """Return the Follower's translations and interactions, in order."""
    return tuple(_iter_steps(game))


def _iter_steps(game: Game) -> Iterator[RecordedStep]:
    body = game.scene.start.follower
    for i, each in enumerate(game.interactions):
        if each.role is not Role.FOLLOWER:
            continue
        if each.verb in _COMPARED_VERBS:
            yield (
                RecordedAttempt(i, each.verb, body, each.click),
                RecordedResult(bool(each.success), each.object_id, _sliced_object_pose(game, each)),
            )
        if each.pose is not None:
            body = agent_state_at(each.pose)


def _sliced_object_pose(game: Game, interaction: Interaction) -> SlicedObjectPose | None:
    if interaction.verb is not Verb.SLICE or interaction.object_id is None:
        return None
    whole = game.final.get(interaction.object_id)
    if whole is None or not whole.isSliced:
        return None
    return SlicedObjectPose(whole.position, whole.rotation)


def agent_state_at(pose: LoggedPose) -> AgentState:
    """Return the agent at a logged pose (spec section 2.14)."""
    z, minus_x, y, _, horizon, minus_yaw = pose
    return snap_to_grid(AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon))


# Finds objects of a world that substitute for objects of a recording.


class ObjectSubstitutes:
    """The substitutes of recorded objects that a world does not have.

    An object may be cut into fewer pieces here than in the recording.  A missing piece is
    substituted by another piece of the same whole, the same one from then on.
    """

    def __init__(self) -> None:
        """Start without substitutes."""
        self._substitute_ids: dict[str, str] = {}

    def object_id_in(self, object_id: str, world: Snapshot) -> str | None:
        """Return the id of the object or of its substitute; None if it has neither."""
        if world.get(object_id) is not None:
            return object_id
        if object_id not in self._substitute_ids:
            found = self._find_substitute(object_id, world)
            if found is None:
                return None
            self._substitute_ids[object_id] = found
        return self._substitute_ids[object_id]

    def _find_substitute(self, object_id: str, world: Snapshot) -> str | None:
        whole, _, piece = object_id.rpartition("|")
        kind = piece.rpartition("_")[0]
        taken = set(self._substitute_ids.values())
        pieces = [
            obj
            for obj in (world.of_type(kind) if kind else ())
            if obj.objectId.startswith(f"{whole}|") and not obj.isPickedUp
        ]
        free = [obj for obj in pieces if obj.objectId not in taken] or pieces
        # The last piece: recorded pieces that exist here have the low numbers.
        return free[-1].objectId if free else None
