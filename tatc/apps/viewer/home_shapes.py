"""What the page draws in three dimensions: the solids that rays hit, and their colours."""

from tatc.home.camera import rays, room_bounds, scene_solids, solids
from tatc.home.rendering import shader_inputs
from tatc.home.state import Box, ObjectState, Scene
from tatc.home.type_facts import FLOOR_TYPE

SolidRow = tuple[int, ...]
"""Its centre from the middle of its object's box and its lengths, along the box's own axes in
millimetres; its kind, which is three times the `SolidShape`, plus 1 if its top is open and 2 if all
of it is; and its turn against the box in degrees, if it has one."""
_OPENINGS = list(solids.OpenFaces)
# Most of what one sees of them is leaves, shade or blanket.
_SECOND_COLOUR_TYPES = frozenset({"HousePlant", "DeskLamp", "FloorLamp", "Bed"})


class HomeShapes:
    """The shapes of a session's objects, each kept once: `values` has rows of solids."""

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
