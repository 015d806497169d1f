"""What each role may see of a game: TEACh's interfaces (paper, appendix B).

The Follower has its own view, the dialogue, and a map of the furniture with itself on it.
The Commander has the Follower's view, a camera of its own, and the map with both; it also
knows the task, checks the progress and searches for objects.
"""

from threading import Lock
from typing import Any

from tatc.apps.viewer import page_data
from tatc.apps.viewer.play.human_game import HumanGame
from tatc.home.actions import Click, Role, Verb
from tatc.home.camera.geometry import IndexArray
from tatc.home.camera.rays import Eye
from tatc.home.state import Snapshot, type_in_id
from tatc.language import Wording
from tatc.session.timeline import Moment, belief_summary
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.embedded.snapshot_renderer import ImageKind, SnapshotRenderer, eye_of_role
from tatc.sim.object_search import SEARCH_VERBS, find_object, search_views
from tatc.sim.top_view.plan_model import PlanFloor, footprint_of, is_furniture, state_words

_PLAY_IMAGE_PIXELS = 640  # pixels a side of the views that a person plays by
_CLICK_IMAGE_PIXELS = 225  # pixels a side where only object numbers are needed


class RoleViews:
    """One game as each role sees it."""

    def __init__(self, game: HumanGame) -> None:
        """Show this game, which is `game` here."""
        self.game = game
        self._renderer = SnapshotRenderer(game.start.scene)
        grid = WalkableGrid.from_scene(game.start.scene)
        self._reachable_poses = grid.reachable()
        self._floor = PlanFloor.of_scene(game.start.scene, grid)
        self._placer = belief_summary.BeliefPlacer(game.start.scene.initial.follower)
        self._lock = Lock()

    def room_json(self, role: Role) -> dict[str, Any]:
        """Return what stays the same: the floor and furniture; for the Commander, the task."""
        first, start = self.game.moments[0], self.game.start
        value: dict[str, Any] = {
            "id": self.game.id,
            "part": page_data.ROLE_NAMES[role],
            "people": [page_data.ROLE_NAMES[each] for each in self.game.human_roles],
            "place": start.place,
            "floor": page_data.floor_json(self._floor),
            "things": [
                page_data.object_json(footprint_of(obj))
                | {"track": [[0, page_data.box_json(obj.box), [], None]]}
                for obj in first.snapshot.objects
                if is_furniture(obj)
            ],
        }
        if role is Role.COMMANDER:
            value["task"] = start.task.name
            value["description"] = first.progress.description
            value["wordings"] = list(Wording)
            value["believes"] = self.game.shows_belief
        return value

    def moment_json(self, moment: Moment, role: Role) -> dict[str, Any]:
        """Return a moment as a role may see it."""
        snapshot = moment.snapshot
        held = snapshot.held_object()
        value: dict[str, Any] = {
            "i": moment.index,
            "follower": page_data.agent_json(snapshot.follower),
            "held": held and held.objectType,
        }
        if role is Role.COMMANDER:
            value["commander"] = page_data.agent_json(snapshot.commander)
        done = moment.interaction
        # Of the Commander's acts the Follower sees words alone.
        is_seen = role is Role.COMMANDER or done is None or done.role is role
        if done is None or not (is_seen or done.verb is Verb.TEXT):
            return value
        value |= page_data.page_interaction_json(done, lambda object_id: None)
        if moment.result is not None and not moment.result.success:
            value["why"] = moment.result.hint or moment.result.message
        if done.object_id is not None and role is Role.FOLLOWER:
            value["handled"] = type_in_id(done.object_id)
        if done.verb is Verb.OPEN_PROGRESS_CHECK:
            value["check"] = page_data.progress_check_json(moment.progress, lambda object_id: None)
        if done.verb in SEARCH_VERBS:
            value["found"] = self._search_result_json(moment, done.verb, done.text)
        return value

    def belief_json(self, role: Role) -> dict[str, Any] | None:
        """Return what the Follower believes now, if it is an agent and the role commands it."""
        if role is not Role.COMMANDER or not self.game.shows_belief:
            return None
        moments = self.game.moments
        with self._lock:
            placed = self._placer.place_last(moments, len(moments) - 1)
            return None if placed is None else page_data.present_belief_json(placed)

    def agent_image(self, index: int, role: Role) -> bytes:
        """Return what an agent sees at a moment, as WebP."""
        snapshot = self.game.moments[index].snapshot
        with self._lock:
            return page_data.agent_view_image(self._renderer, snapshot, role, _PLAY_IMAGE_PIXELS)

    def search_image(self, index: int) -> bytes | None:
        """Return an image of what a search found, or of what hides it; None for nothing."""
        moment = self.game.moments[index]
        done, snapshot = moment.interaction, moment.snapshot
        if done is None or done.verb not in SEARCH_VERBS:
            return None
        obj = find_object(snapshot, done.verb, done.text)
        if obj is None:
            return None
        with self._lock:
            for look in search_views(snapshot, obj, self._reachable_poses):
                eye, target = look.eye, snapshot.object_index.by_id[look.target.objectId]
                if (self._object_numbers(snapshot, eye) == target).any():
                    return page_data.highlighted_view_image(self._renderer, snapshot, eye, target)
        return None

    def clicked_type(self, click: Click) -> str | None:
        """Return the type of the object at a point of the Follower's view, None for a wall."""
        snapshot = self.game.moments[-1].snapshot
        eye = eye_of_role(Role.FOLLOWER, snapshot)
        row, column = (int(part * _CLICK_IMAGE_PIXELS) for part in (click.y, click.x))
        with self._lock:
            index = int(self._object_numbers(snapshot, eye)[row, column])
        return None if index < 0 else snapshot.objects[index].objectType

    def _object_numbers(self, snapshot: Snapshot, eye: Eye) -> IndexArray:
        drawn = self._renderer.draw(snapshot, eye, _CLICK_IMAGE_PIXELS, (ImageKind.IDS,))
        assert drawn.ids is not None
        return drawn.ids

    def _search_result_json(self, moment: Moment, verb: Verb, words: str) -> dict[str, Any] | None:
        obj = find_object(moment.snapshot, verb, words)
        if obj is None:
            return None
        return {
            "type": obj.objectType,
            "shape": page_data.box_json(obj.box),
            "flags": state_words(obj),
            "within": [type_in_id(name) for name in obj.parentReceptacles or ()],
        }
