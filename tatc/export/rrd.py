"""A session as a Rerun recording (https://rerun.io): the extra `rerun`.

    world/things, world/follower, world/commander   boxes and bodies, z up, metres
    follower/view                                   what the Follower sees
    words, deeds                                    what was said, what was done
    goals/met                                       goal conditions met

All lie on one timeline, `step`: step N is how things stand after the Nth interaction.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from tatc.actions import Role
from tatc.errors import MissingExtra
from tatc.export.palette import AGENTS, BAD, FAINT, GOOD
from tatc.records import Interaction
from tatc.sim.embedded.render import Renderer
from tatc.state import AgentState, ObjectState, Snapshot, Vec3, turned
from tatc.timeline import Moment, Timeline
from tatc.timeline.moment import same_objects

_QUALITY = 85  # of 100, of the pictures
_GAZE = 0.5  # metres that an agent's arrow is long


def library() -> Any:
    """Return Rerun's package.

    Raises:
        MissingExtra: it is not installed.

    """
    try:
        return import_module("rerun")
    except ImportError as fault:
        raise MissingExtra("rerun", "rerun-sdk") from fault


def encode(timeline: Timeline, steps: Iterable[int], size: int) -> bytes:
    """Return a recording of these steps as a file.

    What has not changed since the step before is not logged again.  Rerun numbers its
    rows by the clock, so that two recordings of one session differ in their bytes.

    Raises:
        MissingExtra: Rerun is not installed.

    """
    rr = library()
    opening = timeline.opening
    name = f"{timeline.task.name} in {opening.scene.place}, seed {opening.seed}"
    stream = rr.RecordingStream("tatc", recording_id=name)
    store = stream.binary_stream()
    stream.send_recording_name(name)
    stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    log = _Log(rr, stream, Renderer(opening.scene), size)
    for step in steps:
        log.moment(timeline.moments[step])
    found: bytes = store.read(flush=True)
    return found


class _Log:
    def __init__(self, rr: Any, stream: Any, renderer: Renderer, size: int) -> None:
        self._rr, self._stream = rr, stream
        self._renderer, self._size = renderer, size
        self._before: Snapshot | None = None

    def moment(self, moment: Moment) -> None:
        """Log how things stand at a moment, where it is new."""
        now, before = moment.snapshot, self._before
        self._stream.set_time("step", sequence=moment.index)
        still = before is not None and same_objects(before, now)
        if not still:
            self._log("world/things", self._boxes(now.objects))
        if not still or before is None or before.follower != now.follower:
            view = self._rr.Image(self._renderer.frame(now, Role.FOLLOWER, self._size))
            self._log("follower/view", view.compress(jpeg_quality=_QUALITY))
        self._log("world/follower", self._body(Role.FOLLOWER, now.follower))
        self._log("world/commander", self._body(Role.COMMANDER, now.commander))
        met = moment.progress.goal_conditions_satisfied
        total = moment.progress.goal_conditions_total
        self._log("goals/met", self._rr.Scalars(min(met, total)))
        if moment.interaction is not None:
            self._done(moment, moment.interaction)
        self._before = now

    def _log(self, path: str, what: Any) -> None:
        self._stream.log(path, what)

    def _done(self, moment: Moment, done: Interaction) -> None:
        name = done.role.name.capitalize()
        if moment.said is not None:
            text, colour = moment.said, AGENTS[done.role]
            self._log("words", self._rr.TextLog(f"{name}: {text}", color=colour))
            return
        parts = (f"{name}:", done.verb.value, done.object_id or done.text)
        colour = BAD if moment.failed else GOOD if moment.primitive else FAINT
        text = " ".join(filter(None, parts))
        if moment.failed and moment.result is not None:
            text = f"{text} failed: {moment.result.hint or moment.result.message}"
        self._log("deeds", self._rr.TextLog(text, color=colour))

    def _boxes(self, things: Sequence[ObjectState]) -> Any:
        rr = self._rr
        turns = [
            rr.RotationAxisAngle((0, 0, 1), degrees=-thing.box.yaw) for thing in things
        ]
        return rr.Boxes3D(
            centers=[_upright(thing.box.center) for thing in things],
            sizes=[_upright(thing.box.size) for thing in things],
            rotation_axis_angles=turns,
            labels=[thing.objectId for thing in things],
            show_labels=False,
        )

    def _body(self, role: Role, agent: AgentState) -> Any:
        sine, cosine = turned(agent.yaw)
        return self._rr.Arrows3D(
            origins=[_upright(agent.position)],
            vectors=[(_GAZE * sine, _GAZE * cosine, 0.0)],
            colors=[AGENTS[role]],
            labels=[role.name.capitalize()],
        )


def _upright(point: Vec3) -> Vec3:
    """Return x, z, y: the world's axes are left-handed with y up, Rerun's z up."""
    x, y, z = point
    return x, z, y
