"""What pages load: what the agents see as WebP images, and sessions and beliefs as JSON in scripts.

A moment is an interaction and the state after it.  What repeats (progress checks, decisions,
images) stands in lists of its own, and moments refer to it by index.  Lengths are metres,
rounded to the centimetre.
"""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from starlette.responses import Response

from tatc.apps.viewer import session_index
from tatc.home.actions import GRID_SIZE_METRES, ROLES_BY_NAME, Cell, Role, Verb
from tatc.home.camera import rays, room_bounds, scene_solids, solids, views
from tatc.home.rendering import shader_inputs
from tatc.home.state import AgentState, Box, ObjectState, Scene, ShortNames, Snapshot
from tatc.home.type_facts import FLOOR_TYPE
from tatc.language.skill_wording import explain
from tatc.session.records import Interaction, RecordedDecision, record_io
from tatc.session.timeline import Moment, Timeline, belief_summary, format_verb_runs
from tatc.session.timeline.moment import have_same_objects
from tatc.sim.embedded.snapshot_renderer import ImageKind, SnapshotRenderer
from tatc.sim.top_view.plan_model import Footprint, PlanFloor, footprint_of, state_words
from tatc.tdl import Progress

IMAGE_PIXELS = 450  # pixels along each side of an image: half of TEACh's frame
IMAGE_HEADERS = {"content-type": "image/webp", "cache-control": "private, max-age=3600"}
IMAGE_SUFFIX = ".webp"
IndexOfId = Callable[[str | None], int | None]
"""Returns the index of an object by its id; None for none, and for one that is not known."""
_HIGHLIGHT_COLOUR = (255, 196, 61)
_encode_webp = partial(views.encode_image, file_format="WEBP", quality=82, method=2)


def agent_view_image(
    renderer: SnapshotRenderer, snapshot: Snapshot, role: Role, size: int = IMAGE_PIXELS
) -> bytes:
    """Return what an agent sees at a moment, `size` pixels a side, as WebP."""
    return _encode_webp(renderer.frame(snapshot, role, size))


def highlighted_view_image(
    renderer: SnapshotRenderer, snapshot: Snapshot, eye: rays.Eye, index: int
) -> bytes:
    """Return a view as WebP with one object tinted and all else dimmed."""
    drawn = renderer.draw(snapshot, eye, IMAGE_PIXELS, (ImageKind.RGB, ImageKind.IDS))
    assert drawn.rgb is not None and drawn.ids is not None
    frame = drawn.rgb.astype(np.float64)
    shown = drawn.ids == index
    frame[shown] = frame[shown] * 0.45 + np.array(_HIGHLIGHT_COLOUR) * 0.55
    frame[~shown] *= 0.72
    return _encode_webp(frame.astype(np.uint8))


def data_script(name: str, value: Any) -> bytes:
    """Return a script that gives the page a JSON value under a name.

    A page opened from disk may not fetch files, but it may load scripts.  So data comes as
    `tatc.put("name", {...})` both from a server and from disk.
    """
    encoded = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return f"tatc.put({json.dumps(name)},{encoded});\n".encode()


def script_response(name: str, value: Any) -> Response:
    """Return the answer that sends `data_script`."""
    return Response(data_script(name, value), media_type="text/javascript; charset=utf-8")


ROLE_NAMES = {role: name for name, role in ROLES_BY_NAME.items()}


def floor_json(floor: PlanFloor) -> dict[str, Any]:
    """Return the cells where a body can stand, in steps of the grid, and what is beyond walls."""
    return {
        "step": GRID_SIZE_METRES,
        "cells": [[round(v / GRID_SIZE_METRES) for v in cell] for cell in floor.cells],
        "beyond": [[*low[::2], *high[::2]] for low, high in map(Box.bounds, floor.beyond)],
    }


def object_json(shown: Footprint) -> dict[str, Any]:
    """Return what stays the same of an object for a whole session.

    The plan draws what is `high` above other furniture and what is `round` as an ellipse;
    what is in something that `closes` is pale while that is shut.
    """
    flags = {"high": shown.is_overhead, "round": shown.is_round, "closes": shown.can_close}
    value = {"id": shown.object_id, "type": shown.object_type, "group": shown.group}
    return value | {name: True for name, holds in flags.items() if holds}


def box_json(box: Box) -> list[float]:
    """Return a box from above: x and z of its centre, width, depth, yaw, lowest and highest y."""
    (x, y, z), (width, height, depth) = box.center, box.size
    numbers = (x, z, width, depth, box.yaw, y - height / 2, y + height / 2)
    return [round(number, 2) for number in numbers]


def agent_json(agent: AgentState) -> list[float]:
    """Return where an agent is and looks: x, z, yaw, horizon, y."""
    x, y, z = agent.position
    return [round(number, 2) for number in (x, z, agent.yaw, agent.horizon, y)]


SolidRow = tuple[int, ...]
"""Its centre from the middle of its object's box and its lengths, along the box's own axes in
millimetres; its kind, which is three times the `SolidShape`, plus 1 if its top is open and 2 if all
of it is; and its turn against the box in degrees, if it has one."""
_OPENINGS = list(solids.OpenFaces)
# Most of what one sees of them is leaves, shade or blanket.
_SECOND_COLOUR_TYPES = frozenset({"HousePlant", "DeskLamp", "FloorLamp", "Bed"})


class HomeShapes:
    """What the page draws: objects' colours and shapes, each kept once, as rows of solids."""

    def __init__(self, scene: Scene) -> None:
        """Measure the objects as the session begins."""
        self._scene = scene
        self._room_kind = scene.kind.value.title().replace(" ", "")
        self._solids = scene_solids.SceneSolids(scene.initial.objects)
        self._count = len(scene.initial.objects)
        self._indices: dict[tuple[SolidRow, ...] | None, int] = {None: 0}

    @property
    def values(self) -> list[tuple[SolidRow, ...] | None]:
        """The shapes by index; the first is None, for an object that fills its box."""
        return list(self._indices)

    def index_of(self, i: int, obj: ObjectState) -> int:
        """Return the index of an object's shape; a held one has the shape that it had."""
        while i >= self._count:
            self._solids.append()
            self._count += 1
        box, put_down = obj.box, obj.with_values(isPickedUp=False)
        found = self._solids.solids_of_object(i, put_down)
        shape = tuple(_solid_row(solid, box) for solid in found)
        is_whole = shape == (_solid_row(solids.Solid(box.center, box.size, box.yaw), box),)
        return 0 if is_whole else self._indices.setdefault(shape, len(self._indices))

    def colour_of(self, obj: ObjectState) -> str:
        """Return the main colour of an object, as "#b98a5a"."""
        kind, of_room = obj.objectType, f":{self._room_kind}"
        look = shader_inputs.material_of_type(kind + (of_room if kind == FLOOR_TYPE else ""))
        return _hex_colour(shader_inputs.object_colours(look, obj)[kind in _SECOND_COLOUR_TYPES])

    def room_json(self) -> dict[str, object]:
        """Return the walls, the stove's body, which is no object, and how the Follower sees."""
        objects, body = self._scene.initial.objects, self._scene.initial.follower.body
        bounds, origin = room_bounds.room_bounds_of(objects), Box((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        wall = shader_inputs.material_of_type(f"Wall:{self._room_kind}").colours[0][0]
        return {
            "low": [round(number, 2) for number in bounds.low],
            "high": [round(number, 2) for number in bounds.high],
            "colour": _hex_colour(wall),
            "eye": rays.EYE_HEIGHT_METRES,
            "fov": body.fov_degrees,
            "stove": [_solid_row(each, origin) for each in scene_solids.stove_solids(objects)],
        }


def _solid_row(solid: solids.Solid, box: Box) -> SolidRow:
    x, z = solids.to_box_axes(box, solid.center)
    lengths = (x, solid.center[1] - box.center[1], z, *solid.size)
    kind = 3 * solid.shape.value + _OPENINGS.index(solid.open_faces)
    turn = round(solid.yaw - box.yaw)
    return (*(round(1000 * each) for each in lengths), kind, *((turn,) if turn else ()))


def _hex_colour(colour: shader_inputs.RgbColour) -> str:
    return "#" + "".join(f"{round(part):02x}" for part in colour)


class ObjectTracks:
    """Each object's states over a session, with the steps at which they begin."""

    def __init__(self, shapes: HomeShapes | None = None) -> None:
        """Begin without objects; `shapes` gives them shapes and colours."""
        self._shapes = shapes
        self._places: dict[str, int] = {}
        self._last_states: list[ObjectState | None] = []
        self._index: Mapping[str, int] = {}
        self.objects: list[dict[str, Any]] = []
        """The objects, each with its `track`: rows of step, box, state words, container's index.

        The index of its shape follows where it does not fill its box.  From a row of a step and
        null on, an object is gone.
        """

    def index_of(self, object_id: str | None) -> int | None:
        """Return an object's index in `objects`, None for an id of no object."""
        return None if object_id is None else self._index.get(object_id)

    def add_step(self, step: int, snapshot: Snapshot, names: Sequence[str]) -> None:
        """Add what is new in the snapshot of a step; steps come in order.

        `names` has a name of each object that is its own in every step, unlike a believed one's id.
        """
        objects = dict(zip(names, snapshot.objects, strict=True))
        for name, obj in objects.items():
            if name not in self._places:
                self._places[name] = len(self.objects)
                self._last_states.append(None)
                colour = {"colour": self._shapes.colour_of(obj)} if self._shapes else {}
                self.objects.append(object_json(footprint_of(obj)) | colour | {"track": []})
        self._index = {obj.objectId: self._places[name] for name, obj in objects.items()}
        for name, i in self._places.items():
            obj = objects.get(name)
            if obj is not self._last_states[i]:
                self._add_state(i, step, obj)

    def _add_state(self, i: int, step: int, obj: ObjectState | None) -> None:
        self._last_states[i] = obj
        track = self.objects[i]["track"]
        state: list[Any] = [None]
        if obj is not None:
            within = obj.parentReceptacles or (None,)
            state = [box_json(obj.box), state_words(obj), self.index_of(within[0])]
            if self._shapes and (shape := self._shapes.index_of(i, obj)):
                state.append(shape)
        if not track or track[-1][1:] != state:
            track.append([step, *state])


def timeline_json(entry: session_index.SessionEntry, timeline: Timeline) -> dict[str, Any]:
    """Return all that a session's page shows."""
    shapes = HomeShapes(timeline.start.scene)
    tracks, writer = ObjectTracks(shapes), _MomentWriter()
    moments: list[dict[str, Any]] = []
    for moment in timeline.moments:
        names = [obj.objectId for obj in moment.snapshot.objects]
        tracks.add_step(moment.index, moment.snapshot, names)
        moments.append(writer.moment_json(moment, tracks))
    return (
        heading_json(entry)
        | beliefs_json(timeline.moments, tracks.index_of)
        | {
            "description": timeline.moments[0].progress.description,
            "end": timeline.end.value if timeline.end else "",
            "floor": floor_json(PlanFloor.of_scene(timeline.start.scene)),
            "things": tracks.objects,
            "room": shapes.room_json(),
            "shapes": shapes.values,
            "moments": moments,
            "checks": writer.checks.values,
            "decisions": writer.decisions.values,
        }
    )


def heading_json(entry: session_index.SessionEntry) -> dict[str, Any]:
    """Return what the head of a session's page shows."""
    shown = ("id", "source", "key", "task", "params", "place", "game", "seed")
    return {name: getattr(entry, name) for name in shown} | {
        "params": list(entry.params),
        "commander": entry.agents[0],
        "follower": entry.agents[1],
        "again": entry.path is None,
    }


class _MomentWriter:
    def __init__(self) -> None:
        self.checks, self.decisions = _IndexedValues(), _IndexedValues()
        self._picture_step = 0
        self._commander: list[float] = []
        self._last_snapshot: Snapshot | None = None

    def moment_json(self, moment: Moment, tracks: ObjectTracks) -> dict[str, Any]:
        """Return a moment as JSON; fields without a value are left out.

        The Commander is where it was at the moment before, unless the moment says where.
        """
        snapshot, progress = moment.snapshot, moment.progress
        last, seen = self._last_snapshot, (snapshot.follower, snapshot.commander)
        is_same = last is not None and (last.follower, last.commander) == seen
        if last is None or not (is_same and have_same_objects(last, snapshot)):
            self._picture_step = moment.index
        commander = agent_json(snapshot.commander)
        is_moved, self._commander = commander != self._commander, commander
        self._last_snapshot = snapshot
        held, said = snapshot.held_object(), moment.decision
        page_moment: dict[str, Any] = {
            "follower": agent_json(snapshot.follower),
            "commander": commander if is_moved else None,
            "held": None if held is None else tracks.index_of(held.objectId),
            "check": self.checks.index_of(
                id(progress), lambda: progress_check_json(progress, tracks.index_of)
            ),
            "decision": said
            and self.decisions.index_of(said.step, lambda: _decision_in_words(said, snapshot)),
            "picture": self._picture_step,
        }
        if moment.interaction is not None:
            page_moment |= page_interaction_json(moment.interaction, tracks.index_of)
        if moment.result is not None and not moment.result.success:
            why = moment.result.hint or moment.result.message
            page_moment["why"] = ShortNames(snapshot).shorten(why)
        if moment.divergence:
            page_moment["departs"] = moment.divergence
        return {name: value for name, value in page_moment.items() if value is not None}


class _IndexedValues:
    """Values that moments refer to by index, each kept once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._indices: dict[Hashable, int] = {}

    def index_of(self, key: Hashable, make: Callable[[], Any]) -> int:
        if key not in self._indices:
            self._indices[key] = len(self.values)
            self.values.append(make())
        return self._indices[key]


def _decision_in_words(decision: RecordedDecision, now: Snapshot) -> dict[str, Any]:
    names = ShortNames(now)
    return record_io.decision_json(decision) | {
        "skill": explain(names, decision.skill),
        "reason": explain(names, decision.reason),
        "alternatives": [explain(names, each) for each in decision.alternatives],
    }


def page_interaction_json(done: Interaction, index: IndexOfId) -> dict[str, Any]:
    """Return what an agent did; `index` gives the index of its object."""
    value: dict[str, Any] = {
        "who": ROLE_NAMES[done.role],
        "verb": done.verb.value,
        "time": round(done.time, 1),
        "ok": done.success,
        "thing": index(done.object_id),
    }
    if done.click is not None:
        value["click"] = [round(done.click.x, 3), round(done.click.y, 3)]
    if done.text or done.verb is Verb.TEXT:
        value["text"] = done.text
    return value


def progress_check_json(progress: Progress, index: Callable[[str], int | None]) -> Any:
    """Return a progress check; `index` adds the index of each step's object."""
    value = progress.to_json()
    for subgoal in value["subgoals"]:
        for step in subgoal["steps"]:
            step["thing"] = index(step["objectId"])
    total = progress.goal_conditions_total
    return value | {"met": min(progress.goal_conditions_satisfied, total), "total": total}


def beliefs_json(moments: Sequence[Moment], index: IndexOfId) -> dict[str, Any]:
    """Return all beliefs of a session; empty where there are none.

    `beliefs` has one for each moment, `at`, from which the Follower acted; `index` gives the index
    of an object of the world.  `believed` has the believed objects, each with its track as the
    world's objects have; `seen` has rows of x, z and the moment at which a cell was first seen.
    """
    placer, tracks = belief_summary.BeliefPlacer(moments[0].snapshot.follower), ObjectTracks()
    beliefs: list[dict[str, Any]] = []
    seen: dict[Cell, int] = {}
    objects: Sequence[ObjectState] = ()
    differing: Sequence[belief_summary.Difference] = ()
    for moment in moments:
        placed = None if moment.belief is None else placer.place_last(moments, moment.index)
        if placed is None:
            continue
        if placed.snapshot.objects is not objects:  # else neither they nor the world's changed
            objects, differing = placed.snapshot.objects, belief_summary.find_differences(placed)
            names = [obj.objectId for obj in placed.belief.snapshot.objects]
            tracks.add_step(moment.index, placed.snapshot, names)
        seen |= dict.fromkeys(sorted(placed.seen_cells - seen.keys()), moment.index)
        beliefs.append(_belief_json(placed, differing, index))
    if not beliefs:
        return {}
    cells = [[x, z, at] for (x, z), at in seen.items()]
    return {"beliefs": beliefs, "believed": tracks.objects, "seen": cells}


def present_belief_json(placed: belief_summary.BeliefInWorld) -> dict[str, Any]:
    """Return one belief by itself, with all cells and the things seen that can be carried."""
    things = [
        object_json(footprint_of(obj)) | {"state": [box_json(obj.box), state_words(obj), None]}
        for obj in placed.snapshot.objects
        if obj.affordances.pickupable and not obj.isPickedUp
    ]
    cells = [list(cell) for cell in sorted(placed.seen_cells)]
    told = _belief_json(placed, belief_summary.find_differences(placed), lambda object_id: None)
    return told | {"things": things, "seen": cells}


def _belief_json(
    placed: belief_summary.BeliefInWorld,
    differing: Sequence[belief_summary.Difference],
    index: IndexOfId,
) -> dict[str, Any]:
    """Return a belief in words; `wrong` pairs indices (None: no such object) with what differs."""
    belief, found = placed.belief, belief_summary.summarize_belief(placed)
    unseen = [each for each in differing if each.kind is belief_summary.DifferenceKind.UNSEEN]
    wrong = [each for each in differing if each.kind is not belief_summary.DifferenceKind.UNSEEN]
    return {
        "at": placed.index,
        "goal": None if found.goal is None else asdict(found.goal),
        "open": list(belief.open_questions),
        "hints": list(found.hints),
        "said": list(belief.said),
        "left": belief.utterances_left,
        "done": list(found.done),
        "doing": found.doing,
        "next": format_verb_runs(step.verb for step in belief.next_steps),
        "todo": list(found.to_do),
        "end": belief.end,
        "wrong": [[index(each.object_id), each.text] for each in wrong],
        "unseen": [index(each.object_id) for each in unseen],
    }
