"""Draws a room from above: a plan with labels, and a list of what lies about.

Furniture is drawn from the floor upwards; wall cabinets, which hang over counters, are
dashed; the fronts of drawers and cabinets are thick lines.  What can be carried has a
number, pale where it is shut in; the list says where each thing is.  Dots are where a
body can stand.
"""

from collections.abc import Sequence

from PIL import Image

from tatc.sim.rooms.groups import COLOURS, Colour, Group, group_of
from tatc.sim.rooms.labels import label_all
from tatc.sim.rooms.reach import Ground
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.sheet import FINE, INK, MARGIN, METRE, Area, Point, Sheet
from tatc.sim.rooms.stowing import SHUT
from tatc.sim.rooms.things import FRONTED, OVERHEAD, heading
from tatc.state import ObjectState

WALL = 8
LINE = 19
LEGEND = 250
BADGE = 8.0
ROUND = frozenset({"FloorLamp", "GarbageCan", "HousePlant", "StoveBurner"})

_GREY = (120, 118, 115)
_PAPER = (255, 255, 255)
_PALE = (248, 222, 214)
_FLOOR = (247, 243, 235)
_DOT = (219, 211, 198)
_DRAWER = (150, 90, 40)
_DOOR = (205, 160, 95)


def draw_room(room: Room) -> Image.Image:
    """Return a plan of a room as an RGB picture; x goes right, z goes up."""
    x0, z0, x1, z1 = room.walls
    fixed = sorted(
        (t for t in room.objects if not t.affordances.pickupable), key=_height
    )
    loose = [t for t in room.objects if t.affordances.pickupable]
    columns = 1 if len(loose) < 45 else 2
    rows = max((z1 - z0) * METRE, -(-len(loose) // columns) * LINE)
    width = round((x1 - x0) * METRE + 2.5 * MARGIN) + LEGEND * columns
    size = (width, round(rows + 2.6 * MARGIN))
    sheet = Sheet.blank(size, (x0, z1), _PAPER)
    _shell(sheet, (x0, z0), (x1, z1))
    for x, z in Ground.in_room(room).cells:
        sheet.disc(sheet.at(float(x), float(z)), 2.5, _DOT)
    for thing in fixed:
        if thing.objectType != "Floor":
            _piece(sheet, thing)
    for thing in fixed:
        if thing.objectType in FRONTED and _height(thing)[0] < OVERHEAD:
            _front(sheet, thing)
    areas = [_thing(sheet, thing) for thing in loose]
    label_all(sheet, [t for t in fixed if t.objectType != "Floor"], areas)
    for number, area in enumerate(areas, 1):
        _badge(sheet, _middle(area), str(number))
    _list(sheet, loose, MARGIN * 1.5 + (x1 - x0) * METRE, columns)
    _key(sheet, size[1])
    title = f"{room.name}   {x1 - x0:g} x {z1 - z0:g} m, {len(room.objects)} objects"
    sheet.write((MARGIN, 16), title, 20, "la")
    return sheet.image.resize(size, Image.Resampling.LANCZOS)


def _height(thing: ObjectState) -> tuple[float, str]:
    return thing.box.center[1] - thing.box.size[1] / 2, thing.objectId


def _middle(area: Area) -> Point:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2


def _shell(sheet: Sheet, low: Point, high: Point) -> None:
    (x0, y1), (x1, y0) = sheet.at(*low), sheet.at(*high)
    wall = WALL * FINE
    sheet.draw.rectangle((x0 - wall, y0 - wall, x1 + wall, y1 + wall), _GREY)
    sheet.draw.rectangle((x0, y0, x1, y1), _FLOOR)


def _piece(sheet: Sheet, thing: ObjectState) -> None:
    points = sheet.corners(thing.box)
    if thing.objectType == "Cabinet" and _height(thing)[0] > OVERHEAD:
        for a, b in zip(points, points[1:] + points[:1], strict=True):
            sheet.dashed(a, b, _GREY)
        return
    colour = COLOURS[group_of(thing.objectType)]
    if thing.objectType in ROUND:
        area = sheet.area(thing.box)
        sheet.draw.ellipse(area, colour, outline=INK, width=FINE)
    else:
        sheet.draw.polygon(points, colour, outline=INK, width=FINE)


def _front(sheet: Sheet, thing: ObjectState) -> None:
    """Draw the front of a drawer or of a cabinet that stands: where it is opened."""
    fx, fz = heading(thing.rotation[1])
    x, _, z = thing.position
    half = (abs(fz) * thing.box.size[0] + abs(fx) * thing.box.size[2]) / 2 - 0.03
    # Cabinets outside drawers, so that both can be told apart where both are.
    drawer = thing.objectType == "Drawer"
    out, colour = (0.025, _DRAWER) if drawer else (0.055, _DOOR)
    x, z = x + fx * out, z + fz * out
    a = sheet.at(x - fz * half, z - fx * half)
    b = sheet.at(x + fz * half, z + fx * half)
    sheet.draw.line((*a, *b), colour, 4 * FINE)


def _thing(sheet: Sheet, thing: ObjectState) -> Area:
    """Draw something that can be carried; return what it takes with its number."""
    colour = _PALE if _host(thing) in SHUT else COLOURS[Group.THING]
    sheet.draw.polygon(sheet.corners(thing.box), colour, outline=INK, width=FINE)
    left, top, right, bottom = sheet.area(thing.box)
    (x, y), side = _middle((left, top, right, bottom)), BADGE * FINE
    return (
        min(left, x - side),
        min(top, y - side),
        max(right, x + side),
        max(bottom, y + side),
    )


def _badge(sheet: Sheet, at: Point, text: str) -> None:
    sheet.disc(at, BADGE, _PAPER, INK)
    sheet.draw.text(at, text, INK, font=sheet.font(9), anchor="mm")


def _list(
    sheet: Sheet, things: Sequence[ObjectState], left: float, columns: int
) -> None:
    rows = -(-len(things) // columns)
    for i, thing in enumerate(things):
        x = left + LEGEND * (i // rows)
        y = 1.5 * MARGIN + LINE * (i % rows)
        host = _host(thing)
        sheet.write((x + 18, y), str(i + 1), 12, "ra", _GREY)
        text = f"{thing.objectType}  ({host})" if host else thing.objectType
        sheet.write((x + 26, y), text, 12, "la")


def _host(thing: ObjectState) -> str:
    """Return the type of what a thing is in or on, empty if nothing."""
    host = next(iter(thing.parentReceptacles or ()), "")
    *_, last = host.split("|")
    return last if last.endswith("Basin") else host.split("|")[0]


def _key(sheet: Sheet, bottom: float) -> None:
    """Explain the colours, under the plan."""
    x = float(MARGIN)
    for group, colour in COLOURS.items():
        y = bottom - 0.7 * MARGIN
        _swatch(sheet, (x, y), colour)
        text = group.value
        sheet.write((x + 16, y - 2), text, 11, "la", _GREY)
        x += 26 + sheet.width(text, 11)


def _swatch(sheet: Sheet, at: Point, colour: Colour) -> None:
    x, y = at[0] * FINE, at[1] * FINE
    sheet.draw.rectangle((x, y, x + 11 * FINE, y + 11 * FINE), colour, INK)
