"""A session as a Rerun recording (https://rerun.io), by the extra `rerun`.

    world/objects, world/follower, world/commander   boxes and arrows, z up, metres
    follower/view, commander/view                    what the agents see
    dialogue, actions                                what was said, what was done
    goals/met                                        goal conditions met

All lie on one timeline, `step`: step N is the state after the Nth interaction.  A blueprint opens
the world and both views, with the dialogue beneath.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from tatc.apps.export.film import AGENT_COLOURS, DIM_COLOUR, FAILURE_COLOUR, SUCCESS_COLOUR
from tatc.base import errors, plain_text
from tatc.home.actions import ROLES_BY_NAME, Role
from tatc.home.state import AgentState, ObjectState, ShortNames, Snapshot, Vec3, yaw_sin_cos
from tatc.session.records import Interaction
from tatc.session.timeline import Moment, Timeline
from tatc.session.timeline.moment import have_same_objects
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer

_JPEG_QUALITY = 85  # of 100
_ARROW_METRES = 0.5  # length of an agent's arrow


def encode_rrd(timeline: Timeline, steps: Iterable[int], size: int) -> bytes:
    """Return a Rerun recording of these steps as a file.

    What has not changed since the step before is not logged again.  Rerun numbers its
    rows by the clock, so two recordings of one session differ in their bytes.
    """
    rr = errors.MissingExtra.module("rerun", "rerun", "rerun-sdk")
    start = timeline.start
    name = plain_text.printable(f"{timeline.task.name} in {start.scene.place}, seed {start.seed}")
    stream = rr.RecordingStream("tatc", recording_id=name)
    store = stream.binary_stream()
    stream.send_recording_name(name)
    stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    stream.send_blueprint(_blueprint())
    log = _RerunLogger(rr, stream, SnapshotRenderer(start.scene), size)
    for step in steps:
        log.log_moment(timeline.moments[step])
    found: bytes = store.read(flush=True)
    return found


def _blueprint() -> Any:
    views = import_module("rerun.blueprint")
    cameras = [views.Spatial2DView(origin=f"{name}/view", name=name) for name in ROLES_BY_NAME]
    logs = [views.TextLogView(origin=name, name=name.title()) for name in ("dialogue", "actions")]
    goals = views.TimeSeriesView(origin="goals", name="Goal conditions met")
    home = views.Spatial3DView(origin="world", name="Home")
    above = views.Horizontal(home, views.Vertical(*cameras), column_shares=[2, 1])
    return views.Blueprint(views.Vertical(above, views.Horizontal(*logs, goals), row_shares=[2, 1]))


class _RerunLogger:
    def __init__(self, rr: Any, stream: Any, renderer: SnapshotRenderer, size: int) -> None:
        self._rr, self._stream = rr, stream
        self._renderer, self._size = renderer, size
        self._last_snapshot: Snapshot | None = None

    def log_moment(self, moment: Moment) -> None:
        now, before = moment.snapshot, self._last_snapshot
        self._stream.set_time("step", sequence=moment.index)
        still = before is not None and have_same_objects(before, now)
        if not still:
            self._stream.log("world/objects", self._object_boxes(now.objects))
        for name, role in ROLES_BY_NAME.items():
            if not still or before is None or getattr(before, name) != getattr(now, name):
                view = self._rr.Image(self._renderer.frame(now, role, self._size))
                self._stream.log(f"{name}/view", view.compress(jpeg_quality=_JPEG_QUALITY))
        self._stream.log("world/follower", self._agent_arrow(Role.FOLLOWER, now.follower))
        self._stream.log("world/commander", self._agent_arrow(Role.COMMANDER, now.commander))
        met = moment.progress.goal_conditions_satisfied
        total = moment.progress.goal_conditions_total
        self._stream.log("goals/met", self._rr.Scalars(min(met, total)))
        if moment.interaction is not None:
            self._log_interaction(moment, moment.interaction)
        self._last_snapshot = now

    def _log_interaction(self, moment: Moment, done: Interaction) -> None:
        name = done.role.name.capitalize()
        if moment.utterance is not None:
            text, colour = plain_text.printable(moment.utterance), AGENT_COLOURS[done.role]
            self._stream.log("dialogue", self._rr.TextLog(f"{name}: {text}", color=colour))
            return
        names = ShortNames(moment.snapshot)
        obj = names.name_of(done.object_id) if done.object_id else done.text
        parts = (f"{name}:", done.verb.value, obj)
        done_colour = SUCCESS_COLOUR if moment.is_primitive else DIM_COLOUR
        colour = FAILURE_COLOUR if moment.failed else done_colour
        text = " ".join(filter(None, parts))
        if moment.failed and moment.result is not None:
            text = f"{text} failed: {names.shorten(moment.result.hint or moment.result.message)}"
        self._stream.log("actions", self._rr.TextLog(plain_text.printable(text), color=colour))

    def _object_boxes(self, objects: Sequence[ObjectState]) -> Any:
        rr = self._rr
        turns = [rr.RotationAxisAngle((0, 0, 1), degrees=-obj.box.yaw) for obj in objects]
        return rr.Boxes3D(
            centers=[_to_z_up(obj.box.center) for obj in objects],
            sizes=[_to_z_up(obj.box.size) for obj in objects],
            rotation_axis_angles=turns,
            labels=[obj.objectId for obj in objects],
            show_labels=False,
        )

    def _agent_arrow(self, role: Role, agent: AgentState) -> Any:
        sine, cosine = yaw_sin_cos(agent.yaw)
        return self._rr.Arrows3D(
            origins=[_to_z_up(agent.position)],
            vectors=[(_ARROW_METRES * sine, _ARROW_METRES * cosine, 0.0)],
            colors=[AGENT_COLOURS[role]],
            labels=[role.name.capitalize()],
        )


def _to_z_up(point: Vec3) -> Vec3:
    """Return x, z, y: our axes are left-handed with y up, Rerun's right-handed with z up."""
    x, y, z = point
    return x, z, y
