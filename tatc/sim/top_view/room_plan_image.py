"""Draws the plan of a room as an image, with labels and a list of the small objects.

Furniture is drawn from the floor upwards.  Wall cabinets, which hang over counters, are dashed; the
fronts of drawers and cabinets are thick lines.  What can be carried has a number, pale where it is
closed in, and the list says what each is in or on.  Dots are where a body can stand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tatc.home.state import Box, yaw_sin_cos
from tatc.home.type_facts import STARTS_CLOSED_TYPES
from tatc.sim.rooms.room import Room
from tatc.sim.top_view import plan_model

PIXELS_PER_METRE = 150
MARGIN_PIXELS = 40
SUPERSAMPLING_FACTOR = 2
"""A plan is drawn this many times larger and then reduced, so that its lines are smooth."""
DASH_PIXELS = 7
INK_COLOUR: plan_model.Colour = (45, 45, 50)

PixelPoint = tuple[float, float]
"""Column and row, in canvas pixels unless said otherwise."""
PixelArea = tuple[float, float, float, float]
"""Left, top, right, bottom, in canvas pixels."""


@dataclass(frozen=True, slots=True)
class PlanCanvas:
    """An image drawn `SUPERSAMPLING_FACTOR` times as large as the finished plan.

    `top_left` is the x and z of the room's upper left corner, metres.
    """

    image: Image.Image
    draw: ImageDraw.ImageDraw
    top_left: plan_model.Point

    @staticmethod
    def blank(
        size: tuple[int, int], top_left: plan_model.Point, background: plan_model.Colour
    ) -> "PlanCanvas":
        """Return an empty canvas; `size` is that of the finished plan, in pixels."""
        large = size[0] * SUPERSAMPLING_FACTOR, size[1] * SUPERSAMPLING_FACTOR
        image = Image.new("RGB", large, background)
        return PlanCanvas(image, ImageDraw.Draw(image), top_left)

    def to_pixel(self, x: float, z: float) -> PixelPoint:
        """Return the canvas pixel of a point of the floor."""
        left, top = self.top_left
        return (
            (MARGIN_PIXELS + (x - left) * PIXELS_PER_METRE) * SUPERSAMPLING_FACTOR,
            (1.5 * MARGIN_PIXELS + (top - z) * PIXELS_PER_METRE) * SUPERSAMPLING_FACTOR,
        )

    def box_corners(self, box: Box) -> list[PixelPoint]:
        """Return the four corners of a box seen from above, in canvas pixels."""
        sine, cosine = yaw_sin_cos(box.yaw)
        (x, _, z), (width, _, depth) = box.center, box.size
        return [
            self.to_pixel(
                x + a * width * cosine + b * depth * sine, z - a * width * sine + b * depth * cosine
            )
            for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        ]

    def box_area(self, box: Box) -> PixelArea:
        """Return the upright rectangle around a box seen from above, in canvas pixels."""
        xs, ys = zip(*self.box_corners(box), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def font(self, size: float) -> Any:
        """Return the font whose size is given in pixels of the finished plan."""
        return ImageFont.load_default(size * SUPERSAMPLING_FACTOR)

    def text_width(self, text: str, size: float) -> float:
        """Return how wide a text will be, in pixels of the finished plan."""
        left, _, right, _ = self.draw.textbbox((0, 0), text, font=self.font(size))
        return (right - left) / SUPERSAMPLING_FACTOR

    def draw_text(
        self,
        at: PixelPoint,
        text: str,
        size: float,
        anchor: str,
        colour: plan_model.Colour = INK_COLOUR,
    ) -> None:
        """Write a text; `at` and `size` are in pixels of the finished plan."""
        place = (at[0] * SUPERSAMPLING_FACTOR, at[1] * SUPERSAMPLING_FACTOR)
        self.draw.text(place, text, colour, font=self.font(size), anchor=anchor)

    def draw_disc(
        self,
        at: PixelPoint,
        radius: float,
        fill: plan_model.Colour,
        outline: plan_model.Colour | None = None,
    ) -> None:
        """Draw a disc around a canvas pixel; its radius is in pixels of the finished plan."""
        (x, y), r = at, radius * SUPERSAMPLING_FACTOR
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill, outline, SUPERSAMPLING_FACTOR)

    def draw_dashed_line(self, a: PixelPoint, b: PixelPoint, colour: plan_model.Colour) -> None:
        """Draw a dashed line between two canvas pixels."""
        (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
        dashes = max(1, round(max(abs(dx), abs(dy)) / (DASH_PIXELS * SUPERSAMPLING_FACTOR)))
        for i in range(0, dashes, 2):
            start, end = i / dashes, min(1.0, (i + 1) / dashes)
            line = (ax + dx * start, ay + dy * start, ax + dx * end, ay + dy * end)
            self.draw.line(line, colour, SUPERSAMPLING_FACTOR)


WALL_PIXELS = 8
LIST_LINE_PIXELS = 19
LIST_WIDTH_PIXELS = 250
BADGE_RADIUS_PIXELS = 8.0

_GREY_COLOUR = (120, 118, 115)
_BACKGROUND_COLOUR = (255, 255, 255)
_ENCLOSED_COLOUR = (248, 222, 214)
_FLOOR_COLOUR = (247, 243, 235)
_WALKABLE_DOT_COLOUR = (219, 211, 198)
_DRAWER_FRONT_COLOUR = (150, 90, 40)
_CABINET_FRONT_COLOUR = (205, 160, 95)


def draw_room(room: Room) -> Image.Image:
    """Return the plan of a room as an RGB image; x goes right, z goes up."""
    plan = plan_model.RoomPlan.of_room(room)
    (x0, z0), (x1, z1) = plan.floor.low, plan.floor.high
    columns = 1 if len(plan.small_objects) < 45 else 2
    list_rows = -(-len(plan.small_objects) // columns)
    height = max((z1 - z0) * PIXELS_PER_METRE, list_rows * LIST_LINE_PIXELS)
    width = round((x1 - x0) * PIXELS_PER_METRE + 2.5 * MARGIN_PIXELS) + LIST_WIDTH_PIXELS * columns
    size = (width, round(height + 2.6 * MARGIN_PIXELS))
    canvas = PlanCanvas.blank(size, (x0, z1), _BACKGROUND_COLOUR)
    _draw_floor(canvas, plan.floor)
    areas = _draw_objects(canvas, plan)
    draw_labels(canvas, plan.furniture, areas)
    for number, area in enumerate(areas, 1):
        at = _middle(area)
        canvas.draw_disc(at, BADGE_RADIUS_PIXELS, _BACKGROUND_COLOUR, INK_COLOUR)
        canvas.draw.text(at, str(number), INK_COLOUR, font=canvas.font(9), anchor="mm")
    list_left = MARGIN_PIXELS * 1.5 + (x1 - x0) * PIXELS_PER_METRE
    _draw_object_list(canvas, plan.small_objects, list_left, columns)
    _draw_colour_key(canvas, size[1])
    title = f"{room.name}   {x1 - x0:g} x {z1 - z0:g} m, {len(room.objects)} objects"
    canvas.draw_text((MARGIN_PIXELS, 16), title, 20, "la")
    return canvas.image.resize(size, Image.Resampling.LANCZOS)


def _draw_objects(canvas: PlanCanvas, plan: plan_model.RoomPlan) -> list[PixelArea]:
    """Draw furniture and small objects; return what each small one takes."""
    for piece in plan.furniture:
        _draw_furniture(canvas, piece)
    for piece in plan.furniture:
        if piece.front is not None and not piece.is_overhead:
            _draw_front(canvas, piece, *piece.front)
    return [_draw_small_object(canvas, each) for each in plan.small_objects]


def _middle(area: PixelArea) -> PixelPoint:
    return (area[0] + area[2]) / 2, (area[1] + area[3]) / 2


def _draw_floor(canvas: PlanCanvas, floor: plan_model.PlanFloor) -> None:
    (x0, y1), (x1, y0) = canvas.to_pixel(*floor.low), canvas.to_pixel(*floor.high)
    wall = WALL_PIXELS * SUPERSAMPLING_FACTOR
    canvas.draw.rectangle((x0 - wall, y0 - wall, x1 + wall, y1 + wall), _GREY_COLOUR)
    canvas.draw.rectangle((x0, y0, x1, y1), _FLOOR_COLOUR)
    for box in floor.beyond:
        left, top, right, bottom = canvas.box_area(box)
        area = max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)
        canvas.draw.rectangle(area, _GREY_COLOUR)
    for cell in floor.cells:
        canvas.draw_disc(canvas.to_pixel(*cell), 2.5, _WALKABLE_DOT_COLOUR)


def _draw_furniture(canvas: PlanCanvas, piece: plan_model.Footprint) -> None:
    points = canvas.box_corners(piece.box)
    if piece.object_type == "Cabinet" and piece.is_overhead:
        for a, b in zip(points, points[1:] + points[:1], strict=True):
            canvas.draw_dashed_line(a, b, _GREY_COLOUR)
        return
    colour = plan_model.GROUP_COLOURS[piece.group]
    if piece.is_round:
        area = canvas.box_area(piece.box)
        canvas.draw.ellipse(area, colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR)
    else:
        canvas.draw.polygon(points, colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR)


def _draw_front(
    canvas: PlanCanvas,
    piece: plan_model.Footprint,
    middle: plan_model.Point,
    facing: plan_model.Point,
) -> None:
    """Draw where a drawer or a standing cabinet opens: a thick line along its front."""
    (x, z), (fx, fz) = middle, facing
    half = (abs(fz) * piece.box.size[0] + abs(fx) * piece.box.size[2]) / 2 - 0.03
    # Cabinets outside drawers, so that both can be told apart where both are.
    drawer = piece.object_type == "Drawer"
    out, colour = (0.025, _DRAWER_FRONT_COLOUR) if drawer else (0.055, _CABINET_FRONT_COLOUR)
    x, z = x + fx * out, z + fz * out
    a = canvas.to_pixel(x - fz * half, z - fx * half)
    b = canvas.to_pixel(x + fz * half, z + fx * half)
    canvas.draw.line((*a, *b), colour, 4 * SUPERSAMPLING_FACTOR)


def _draw_small_object(canvas: PlanCanvas, obj: plan_model.Footprint) -> PixelArea:
    """Draw what can be carried; return the area it takes together with its number."""
    colour = (
        _ENCLOSED_COLOUR
        if obj.container in STARTS_CLOSED_TYPES
        else plan_model.GROUP_COLOURS[obj.group]
    )
    canvas.draw.polygon(
        canvas.box_corners(obj.box), colour, outline=INK_COLOUR, width=SUPERSAMPLING_FACTOR
    )
    left, top, right, bottom = canvas.box_area(obj.box)
    (x, y), side = (_middle((left, top, right, bottom)), BADGE_RADIUS_PIXELS * SUPERSAMPLING_FACTOR)
    return (min(left, x - side), min(top, y - side), max(right, x + side), max(bottom, y + side))


def _draw_object_list(
    canvas: PlanCanvas, objects: Sequence[plan_model.Footprint], left: float, columns: int
) -> None:
    rows = -(-len(objects) // columns)
    for i, obj in enumerate(objects):
        x = left + LIST_WIDTH_PIXELS * (i // rows)
        y = 1.5 * MARGIN_PIXELS + LIST_LINE_PIXELS * (i % rows)
        canvas.draw_text((x + 18, y), str(i + 1), 12, "ra", _GREY_COLOUR)
        text = f"{obj.object_type}  ({obj.container})" if obj.container else obj.object_type
        canvas.draw_text((x + 26, y), text, 12, "la")


def _draw_colour_key(canvas: PlanCanvas, bottom: float) -> None:
    x, y = float(MARGIN_PIXELS), bottom - 0.7 * MARGIN_PIXELS
    for group, colour in plan_model.GROUP_COLOURS.items():
        left, top = x * SUPERSAMPLING_FACTOR, y * SUPERSAMPLING_FACTOR
        side = 11 * SUPERSAMPLING_FACTOR
        canvas.draw.rectangle((left, top, left + side, top + side), colour, INK_COLOUR)
        canvas.draw_text((x + 16, y - 2), group.value, 11, "la", _GREY_COLOUR)
        x += 26 + canvas.text_width(group.value, 11)


FONT_SIZES = (13, 11, 9)
UNLABELLED_TYPES = frozenset({"Cabinet", "Drawer", "Faucet", "Sink", "StoveBurner", "StoveKnob"})
LABEL_POSITION_SHARES = (0.5, 0.3, 0.7, 0.18, 0.82)
"""Where along and across a piece of furniture its name is tried, as shares of its size."""
LABEL_PADDING_PIXELS = 3 * SUPERSAMPLING_FACTOR


def draw_labels(
    canvas: PlanCanvas, furniture: Sequence[plan_model.Footprint], badge_areas: Sequence[PixelArea]
) -> None:
    """Write furniture's names, but none that would cover a badge, a name or a later piece."""
    areas = [canvas.box_area(each.box) for each in furniture]
    taken = list(badge_areas)
    for i in reversed(range(len(furniture))):
        name = furniture[i].object_type
        if name in UNLABELLED_TYPES:
            continue
        spot = _draw_label(canvas, name, areas[i], areas[i + 1 :] + taken)
        if spot is not None:
            taken.append(spot)


def _draw_label(
    canvas: PlanCanvas, text: str, area: PixelArea, occupied: Sequence[PixelArea]
) -> PixelArea | None:
    """Write a name into an area; return the area it takes, None if it fits nowhere."""
    left, top, wide, high = area[0], area[1], area[2] - area[0], area[3] - area[1]
    for size in FONT_SIZES:
        for mask in _text_masks(canvas, text, size):
            width, height = mask.size
            if width > wide - LABEL_PADDING_PIXELS or height > high - LABEL_PADDING_PIXELS:
                continue
            for across, along in product(LABEL_POSITION_SHARES, LABEL_POSITION_SHARES):
                x, y = left + (wide - width) * along, top + (high - height) * across
                spot = (x, y, x + width, y + height)
                if not any(_is_overlapping(spot, other) for other in occupied):
                    ink = Image.new("RGB", mask.size, INK_COLOUR)
                    canvas.image.paste(ink, (round(x), round(y)), mask)
                    return spot
    return None


def _text_masks(canvas: PlanCanvas, text: str, size: int) -> Iterator[Image.Image]:
    """Yield a text as a mask: first horizontal, then turned to read upwards."""
    font = canvas.font(size)
    left, top, right, bottom = canvas.draw.textbbox((0, 0), text, font=font)
    mask = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2), 0)
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, font=font)
    yield mask
    yield mask.rotate(90, expand=True)


def _is_overlapping(a: PixelArea, b: PixelArea) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
