"""Draws a room from above: a plan with labels, and a list of what lies about.

Furniture is drawn from the floor upwards; wall cabinets, which hang over counters, are
dashed; the fronts of drawers and cabinets are thick lines.  What can be carried has a
number, pale where it is shut in; the list says where each thing is.  Dots are where a
body can stand.
"""

from collections.abc import Sequence

from PIL import Image

from tatc.rooms.object_creation import (
    FRONT_POSITION_TYPES,
    OVERHEAD_BOTTOM_METRES,
    facing_direction,
)
from tatc.rooms.random_placement import CLOSED_TYPES
from tatc.rooms.reachable_floor import ReachableFloor
from tatc.rooms.room import Room
from tatc.state import ObjectState
from tatc.top_view.furniture_labels import draw_labels
from tatc.top_view.plan_canvas import (
    INK_COLOUR,
    MARGIN_PIXELS,
    PIXELS_PER_METRE,
    SUPERSAMPLING_FACTOR,
    PixelArea,
    PlanCanvas,
    PlanPoint,
)
from tatc.top_view.type_groups import GROUP_COLOURS, Colour, TypeGroup, group_of

WALL_PIXELS = 8
LIST_LINE_PIXELS = 19
LIST_WIDTH_PIXELS = 250
BADGE_RADIUS_PIXELS = 8.0
ROUND_DRAWN_TYPES = frozenset({"FloorLamp", "GarbageCan", "HousePlant", "StoveBurner"})

_GREY_COLOUR = (120, 118, 115)
_BACKGROUND_COLOUR = (255, 255, 255)
_SHUT_IN_COLOUR = (248, 222, 214)
_FLOOR_COLOUR = (247, 243, 235)
_WALKABLE_DOT_COLOUR = (219, 211, 198)
_DRAWER_FRONT_COLOUR = (150, 90, 40)
_CABINET_FRONT_COLOUR = (205, 160, 95)


def draw_room(room: Room) -> Image.Image:
    """Return a plan of a room as an RGB picture; x goes right, z goes up."""
    x0, z0, x1, z1 = room.walls
    fixed = sorted((t for t in room.objects if not t.affordances.pickupable), key=_bottom_and_id)
    loose = [t for t in room.objects if t.affordances.pickupable]
    columns = 1 if len(loose) < 45 else 2
    rows = max((z1 - z0) * PIXELS_PER_METRE, -(-len(loose) // columns) * LIST_LINE_PIXELS)
    width = round((x1 - x0) * PIXELS_PER_METRE + 2.5 * MARGIN_PIXELS) + LIST_WIDTH_PIXELS * columns
    size = (width, round(rows + 2.6 * MARGIN_PIXELS))
    canvas = PlanCanvas.blank(size, (x0, z1), _BACKGROUND_COLOUR)
    _draw_walls(canvas, (x0, z0), (x1, z1))
    for x, z in ReachableFloor.of_room(room).cells:
        canvas.draw_disc(canvas.to_pixel(float(x), float(z)), 2.5, _WALKABLE_DOT_COLOUR)
    for obj in fixed:
        if obj.objectType != "Floor":
            _draw_furniture(canvas, obj)
    for obj in fixed:
        if (
            obj.objectType in FRONT_POSITION_TYPES
            and _bottom_and_id(obj)[0] < OVERHEAD_BOTTOM_METRES
        ):
            _draw_front(canvas, obj)
    areas = [_draw_pickupable(canvas, obj) for obj in loose]
    draw_labels(canvas, [t for t in fixed if t.objectType != "Floor"], areas)
    for number, area in enumerate(areas, 1):
        _draw_badge(canvas, _middle(area), str(number))
    _draw_object_list(canvas, loose, MARGIN_PIXELS * 1.5 + (x1 - x0) * PIXELS_PER_METRE, columns)
    _draw_colour_key(canvas, size[1])
    title = f"{room.name}   {x1 - x0:g} x {z1 - z0:g} m, {len(room.objects)} objects"
    canvas.draw_text((MARGIN_PIXELS, 16), title, 20, "la")
    return canvas.image.resize(size, Image.Resampling.LANCZOS)


def _bottom_and_id(obj: ObjectState) -> tuple[float, str]:
    return obj.box.center[1] - obj.box.size[1] / 2, obj.objectId


def _middle(area: PixelArea) -> PlanPoint:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2


def _draw_walls(canvas: PlanCanvas, low: PlanPoint, high: PlanPoint) -> None:
    (x0, y1), (x1, y0) = canvas.to_pixel(*low), canvas.to_pixel(*high)
    wall = WALL_PIXELS * SUPERSAMPLING_FACTOR
    canvas.draw.rectangle((x0 - wall, y0 - wall, x1 + wall, y1 + wall), _GREY_COLOUR)
    canvas.draw.rectangle((x0, y0, x1, y1), _FLOOR_COLOUR)


def _draw_furniture(canvas: PlanCanvas, obj: ObjectState) -> None:
    points = canvas.box_corners(obj.box)
    if obj.objectType == "Cabinet" and _bottom_and_id(obj)[0] > OVERHEAD_BOTTOM_METRES:
        for a, b in zip(points, points[1:] + points[:1], strict=True):
            canvas.draw_dashed_line(a, b, _GREY_COLOUR)
        return
    colour = GROUP_COLOURS[group_of(obj.objectType)]
    if obj.objectType in ROUND_DRAWN_TYPES:
        area = canvas.box_area(obj.box)
        canvas.draw.ellipse(area, colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR)
    else:
        canvas.draw.polygon(points, colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR)


def _draw_front(canvas: PlanCanvas, obj: ObjectState) -> None:
    """Draw the front of a drawer or of a cabinet that stands: where it is opened."""
    fx, fz = facing_direction(obj.rotation[1])
    x, _, z = obj.position
    half = (abs(fz) * obj.box.size[0] + abs(fx) * obj.box.size[2]) / 2 - 0.03
    # Cabinets outside drawers, so that both can be told apart where both are.
    drawer = obj.objectType == "Drawer"
    out, colour = (0.025, _DRAWER_FRONT_COLOUR) if drawer else (0.055, _CABINET_FRONT_COLOUR)
    x, z = x + fx * out, z + fz * out
    a = canvas.to_pixel(x - fz * half, z - fx * half)
    b = canvas.to_pixel(x + fz * half, z + fx * half)
    canvas.draw.line((*a, *b), colour, 4 * SUPERSAMPLING_FACTOR)


def _draw_pickupable(canvas: PlanCanvas, obj: ObjectState) -> PixelArea:
    """Draw something that can be carried; return what it takes with its number."""
    colour = (
        _SHUT_IN_COLOUR
        if _container_label(obj) in CLOSED_TYPES
        else GROUP_COLOURS[TypeGroup.PICKUPABLE]
    )
    canvas.draw.polygon(
        canvas.box_corners(obj.box), colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR
    )
    left, top, right, bottom = canvas.box_area(obj.box)
    (x, y), side = (_middle((left, top, right, bottom)), BADGE_RADIUS_PIXELS * SUPERSAMPLING_FACTOR)
    return (min(left, x - side), min(top, y - side), max(right, x + side), max(bottom, y + side))


def _draw_badge(canvas: PlanCanvas, at: PlanPoint, text: str) -> None:
    canvas.draw_disc(at, BADGE_RADIUS_PIXELS, _BACKGROUND_COLOUR, INK_COLOUR)
    canvas.draw.text(at, text, INK_COLOUR, font=canvas.font(9), anchor="mm")


def _draw_object_list(
    canvas: PlanCanvas, objects: Sequence[ObjectState], left: float, columns: int
) -> None:
    rows = -(-len(objects) // columns)
    for i, obj in enumerate(objects):
        x = left + LIST_WIDTH_PIXELS * (i // rows)
        y = 1.5 * MARGIN_PIXELS + LIST_LINE_PIXELS * (i % rows)
        host = _container_label(obj)
        canvas.draw_text((x + 18, y), str(i + 1), 12, "ra", _GREY_COLOUR)
        text = f"{obj.objectType}  ({host})" if host else obj.objectType
        canvas.draw_text((x + 26, y), text, 12, "la")


def _container_label(obj: ObjectState) -> str:
    """Return the type of what a thing is in or on, empty if nothing."""
    host = next(iter(obj.parentReceptacles or ()), "")
    *_, last = host.split("|")
    return last if last.endswith("Basin") else host.split("|")[0]


def _draw_colour_key(canvas: PlanCanvas, bottom: float) -> None:
    """Explain the colours, under the plan."""
    x = float(MARGIN_PIXELS)
    for group, colour in GROUP_COLOURS.items():
        y = bottom - 0.7 * MARGIN_PIXELS
        _draw_swatch(canvas, (x, y), colour)
        text = group.value
        canvas.draw_text((x + 16, y - 2), text, 11, "la", _GREY_COLOUR)
        x += 26 + canvas.text_width(text, 11)


def _draw_swatch(canvas: PlanCanvas, at: PlanPoint, colour: Colour) -> None:
    x, y = at[0] * SUPERSAMPLING_FACTOR, at[1] * SUPERSAMPLING_FACTOR
    canvas.draw.rectangle(
        (x, y, x + 11 * SUPERSAMPLING_FACTOR, y + 11 * SUPERSAMPLING_FACTOR), colour, INK_COLOUR
    )
