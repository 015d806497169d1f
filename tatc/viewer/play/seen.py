"""What each part may see of a game: TEACh's interfaces (paper, appendix B).

The Follower sees through its own eyes, hears words, and knows the room from above with
its own place in it.  The Commander has the task, progress checks and searches besides,
a camera of its own, and the Follower's view.
"""

from threading import Lock
from typing import Any

from tatc.actions import Click, Role, Verb
from tatc.camera.clicks import Eye
from tatc.sim.embedded.motion import Floor
from tatc.sim.embedded.render import Renderer, View, eye_for
from tatc.sim.searching import TOOLS, find, looks
from tatc.timeline import Moment
from tatc.viewer.pictures import seen_by, showing
from tatc.viewer.plan import (
    body_json,
    flags_of,
    floor_json,
    furniture,
    shape_json,
    thing_json,
)
from tatc.viewer.play.game import Game
from tatc.viewer.story import check_json, done_json

_LARGE = 640  # pixels a side of what a person plays by
_COARSE = 225  # pixels a side where only the object under a click is wanted


class Window:
    """Looks into one game: the room, its moments as JSON, and pictures."""

    def __init__(self, game: Game) -> None:
        """Look into this game."""
        self._game = game
        self._renderer = Renderer(game.opening.scene)
        self._cells = Floor.of(game.opening.scene).reachable()
        self._lock = Lock()

    def room(self, role: Role) -> dict[str, Any]:
        """Return what stays the same: the floor, the furniture, what is to be done."""
        start = self._game.moments[0]
        opening = self._game.opening
        told: dict[str, Any] = {
            "id": self._game.id,
            "part": role.name.lower(),
            "people": [each.name.lower() for each in self._game.people],
            "place": opening.place,
            "floor": floor_json(self._cells),
            "things": [
                thing_json(thing) | {"track": [[0, shape_json(thing), [], None]]}
                for thing in furniture(start.snapshot)
            ],
        }
        if role is Role.COMMANDER:
            told["task"] = opening.task.name
            told["description"] = start.progress.description
            told["wording"] = self._game.setup.wording
        return told

    def moment(self, moment: Moment, role: Role) -> dict[str, Any]:
        """Return a moment as a part may see it."""
        snapshot = moment.snapshot
        held = snapshot.held()
        told: dict[str, Any] = {
            "i": moment.index,
            "follower": body_json(snapshot.follower),
            "held": held and held.objectType,
        }
        if role is Role.COMMANDER:
            told["commander"] = body_json(snapshot.commander)
        done = moment.interaction
        if done is None or not _may_see(done.role, done.verb, role):
            return told
        told |= done_json(done, lambda object_id: None)
        if moment.result is not None and not moment.result.success:
            told["why"] = moment.result.hint or moment.result.message
        if done.object_id is not None and role is Role.FOLLOWER:
            told["handled"] = done.object_id.split("|")[0]
        if done.verb is Verb.OPEN_PROGRESS_CHECK:
            told["check"] = check_json(moment.progress, lambda object_id: None)
        if done.verb in TOOLS:
            told["found"] = self._found(moment, done.verb, done.text)
        return told

    def view(self, index: int, role: Role) -> bytes:
        """Return what an agent sees at a moment."""
        snapshot = self._game.moments[index].snapshot
        with self._lock:
            return seen_by(self._renderer, snapshot, role, _LARGE)

    def target(self, index: int) -> bytes | None:
        """Return a picture of what a search at this moment has found, or None.

        It shows the object glowing, or what it is in where it cannot be seen itself.
        """
        moment = self._game.moments[index]
        done, snapshot = moment.interaction, moment.snapshot
        if done is None or done.verb not in TOOLS:
            return None
        thing = find(snapshot, done.verb, done.text)
        if thing is None:
            return None
        with self._lock:
            for look in looks(snapshot, thing, self._cells):
                index = snapshot.roster.index[look.shown.objectId]
                if self._shows(moment, look.eye, index):
                    return showing(self._renderer, snapshot, look.eye, index)
        return None

    def clicked(self, click: Click) -> str | None:
        """Return the type of what the Follower sees at a point now, None: a wall."""
        snapshot = self._game.moments[-1].snapshot
        eye = eye_for(Role.FOLLOWER, snapshot)
        with self._lock:
            drawn = self._renderer.draw(snapshot, eye, _COARSE, (View.IDS,))
        assert drawn.ids is not None
        index = int(drawn.ids[int(click.y * _COARSE), int(click.x * _COARSE)])
        return None if index < 0 else snapshot.objects[index].objectType

    def _shows(self, moment: Moment, eye: Eye, index: int) -> bool:
        drawn = self._renderer.draw(moment.snapshot, eye, _COARSE, (View.IDS,))
        assert drawn.ids is not None
        return bool((drawn.ids == index).any())

    def _found(self, moment: Moment, verb: Verb, words: str) -> dict[str, Any] | None:
        thing = find(moment.snapshot, verb, words)
        if thing is None:
            return None
        return {
            "type": thing.objectType,
            "shape": shape_json(thing),
            "flags": flags_of(thing),
            "within": [name.split("|")[0] for name in thing.parentReceptacles or ()],
        }


def _may_see(actor: Role, verb: Verb, watcher: Role) -> bool:
    """Whether a part sees what an agent did: of the Commander's, the Follower words."""
    return watcher is Role.COMMANDER or actor is Role.FOLLOWER or verb is Verb.TEXT
