"""A session as a film: an animated GIF by Pillow, or an H.264 MP4 by PyAV (extra `video`).

It has a frame for each moment:

title                                      step 12 of 88
the Follower's view      the room from above, with both agents and the trail
Commander  last utterance
last action                                goal conditions met
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from io import BytesIO
from math import cos, radians, sin
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tatc.base import errors, plain_text
from tatc.home import body, state
from tatc.home.actions import Click, Role
from tatc.home.camera.room_bounds import RoomBounds, room_bounds_of
from tatc.session import records, transcript
from tatc.session.timeline import Moment, Timeline
from tatc.session.timeline.moment import have_same_objects
from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer
from tatc.sim.top_view.plan_model import PlanAgents

_MIN_FONT_SIZE_PIXELS = 10
Colour = tuple[int, int, int]
BACKGROUND_COLOUR: Colour = (20, 22, 26)
TEXT_COLOUR: Colour = (232, 230, 225)
DIM_COLOUR: Colour = (148, 155, 167)
LINE_COLOUR: Colour = (58, 64, 74)
SUCCESS_COLOUR: Colour = (98, 191, 149)
FAILURE_COLOUR: Colour = (238, 123, 114)
AGENT_COLOURS: dict[Role, Colour] = {
    Role.FOLLOWER: (107, 167, 232),
    Role.COMMANDER: (229, 141, 104),
}


class Film:
    """Draws the frames of a session; `size` is the pixels along each side of its two views."""

    def __init__(self, timeline: Timeline, size: int) -> None:
        """Prepare to draw a session."""
        self._timeline = timeline
        self._size = size
        self._renderer = SnapshotRenderer(timeline.start.scene)
        self._room_bounds = room_bounds_of(timeline.start.scene.initial.objects)
        self._last_view: tuple[state.Snapshot, Image.Image] | None = None
        self._last_map: tuple[state.Snapshot, Image.Image] | None = None
        self._font_size = max(_MIN_FONT_SIZE_PIXELS, size // 22)
        self._margin = max(6, size // 30)
        self._pictures_top = round(2 * self._margin + 1.1 * self._font_size)
        self._dialogue_top = self._pictures_top + size + self._margin

    @property
    def frame_size(self) -> tuple[int, int]:
        """Width and height of a frame in pixels, both even, as H.264 needs them."""
        width = 2 * self._size + 3 * self._margin
        height = self._dialogue_top + Caption.height_pixels(self._font_size) + self._margin
        return width + width % 2, height + height % 2

    def frame(self, index: int) -> Image.Image:
        """Return the frame of a moment."""
        moment = self._timeline.moments[index]
        frame = Image.new("RGB", self.frame_size, BACKGROUND_COLOUR)
        margin, size = self._margin, self._size
        frame.paste(self._follower_view(moment), (margin, self._pictures_top))
        frame.paste(self._top_down_view(moment), (2 * margin + size, self._pictures_top))
        caption = Caption(ImageDraw.Draw(frame), self._font_size, (margin, 2 * size + 2 * margin))
        last = len(self._timeline.moments) - 1
        start, task = self._timeline.start, self._timeline.task
        place = start.scene.place
        title = transcript.format_title(task.name, task.params, place, start.game_id, start.seed)
        caption.draw_header(margin, title, f"step {index} of {last}")
        so_far = reversed(self._timeline.moments[: index + 1])
        said = (each.interaction for each in so_far if each.utterance is not None)
        caption.draw_dialogue(self._dialogue_top, next(said, None))
        caption.draw_status(self._dialogue_top + round(2.9 * self._font_size), moment)
        return frame

    def _follower_view(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._last_view
        if kept is None or kept[0].follower != now.follower or not have_same_objects(kept[0], now):
            pixels = self._renderer.frame(now, Role.FOLLOWER, self._size)
            kept = self._last_view = now, Image.fromarray(pixels)
        done = moment.interaction
        if done is None or done.click is None:
            return kept[1]
        marks = Overlay(self._size)
        marks.draw_click(done.click, success=bool(done.success))
        return marks.draw_over(kept[1])

    def _top_down_view(self, moment: Moment) -> Image.Image:
        now = moment.snapshot
        kept = self._last_map
        if kept is None or not have_same_objects(kept[0], now):
            kept = self._last_map = now, Image.fromarray(self._renderer.top_down(now, self._size))
        marks = Overlay(self._size)
        moments = self._timeline.moments[: moment.index + 1]
        bodies = (each.snapshot.follower.position for each in moments)
        trail = tuple((x, z) for x, _, z in bodies)
        marks.draw_agents(PlanAgents(now.follower, now.commander, trail), self._room_bounds)
        return marks.draw_over(kept[1])


@cache
def font(size: int) -> Any:
    """Return the font of a size in pixels."""
    return ImageFont.load_default(size)


_SUPERSAMPLING = 3  # marks are drawn this many times larger and reduced, so that edges are smooth
_TIP_METRES = 0.42  # from an agent's middle to the tip that shows where it looks
_TIP_HALF_ANGLE_DEGREES = 50.0  # from the tip to where it meets the body
PixelPoint = tuple[float, float]


class Overlay:
    """Marks for a square image of `size` pixels a side."""

    def __init__(self, size: int) -> None:
        """Begin without marks."""
        self._size, self._side = size, size * _SUPERSAMPLING
        self._image = Image.new("RGBA", (self._side, self._side), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._image)

    def draw_over(self, image: Image.Image) -> Image.Image:
        """Return an image with the marks over it."""
        marks = self._image.resize((self._size, self._size), Image.Resampling.BOX)
        return Image.alpha_composite(image.convert("RGBA"), marks).convert("RGB")

    def draw_click(self, click: Click, *, success: bool) -> None:
        """Ring the point that was clicked on, in the colour of success or failure."""
        at, radius = (click.x * self._side, click.y * self._side), self._side / 28
        self._draw_ring(at, radius + 2, 5 * self._size / 300, (0, 0, 0))
        colour = SUCCESS_COLOUR if success else FAILURE_COLOUR
        self._draw_ring(at, radius, 3 * self._size / 300, colour)

    def _draw_ring(self, at: PixelPoint, radius: float, width: float, colour: Colour) -> None:
        line_width = max(_SUPERSAMPLING, round(width * _SUPERSAMPLING))
        self._draw.ellipse(_square_around(at, radius + width), outline=colour, width=line_width)

    def draw_agents(self, agents: PlanAgents, room_bounds: RoomBounds) -> None:
        """Draw the Follower's trail and both agents over the map of a room."""
        points = [self._pixel_of(place, room_bounds) for place in agents.trail]
        if len(points) > 1:
            width = max(_SUPERSAMPLING, self._side // 110)
            self._draw.line(points, (*AGENT_COLOURS[Role.FOLLOWER], 190), width, joint="curve")
        self._draw_agent(Role.COMMANDER, agents.commander, room_bounds)
        self._draw_agent(Role.FOLLOWER, agents.follower, room_bounds)

    def _draw_agent(self, role: Role, agent: state.AgentState, room_bounds: RoomBounds) -> None:
        at = self._pixel_of((agent.position[0], agent.position[2]), room_bounds)
        scale = self._pixels_per_metre(room_bounds)
        turns = (
            (agent.yaw, _TIP_METRES),
            (agent.yaw - _TIP_HALF_ANGLE_DEGREES, body.BODY_RADIUS_METRES),
            (agent.yaw + _TIP_HALF_ANGLE_DEGREES, body.BODY_RADIUS_METRES),
        )
        for grown, colour in ((self._side / 160, TEXT_COLOUR), (0.0, AGENT_COLOURS[role])):
            tip = [
                (
                    at[0] + sin(radians(turn)) * (length * scale + grown),
                    at[1] - cos(radians(turn)) * (length * scale + grown),
                )
                for turn, length in turns
            ]
            self._draw.polygon(tip, colour)
            self._draw.ellipse(_square_around(at, body.BODY_RADIUS_METRES * scale + grown), colour)

    def _pixels_per_metre(self, room_bounds: RoomBounds) -> float:
        return self._side / max(room_bounds.high[i] - room_bounds.low[i] for i in (0, 2))

    def _pixel_of(self, point: state.Vec2, room_bounds: RoomBounds) -> PixelPoint:
        middle, scale = self._side / 2, self._pixels_per_metre(room_bounds)
        x, z = ((room_bounds.low[i] + room_bounds.high[i]) / 2 for i in (0, 2))
        return middle + (point[0] - x) * scale, middle - (point[1] - z) * scale


def _square_around(at: PixelPoint, radius: float) -> tuple[float, float, float, float]:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius


_DIALOGUE_LINES = 2  # of dialogue in a frame
_MAX_GOAL_DOTS = 12  # with more goal conditions, none gets a dot


class Caption:
    """Writes text into a frame, in one font size, between two edges."""

    def __init__(self, draw: ImageDraw.ImageDraw, size: int, edges: tuple[int, int]):
        """Write in a font size, between the left and right edge, all in pixels."""
        self._draw, self._font_size, self._edges = draw, size, edges

    @staticmethod
    def height_pixels(size: int) -> int:
        """Return the height of dialogue and status together."""
        return round((_DIALOGUE_LINES * 1.35 + 1.9) * size)

    def draw_header(self, top: int, title: str, step: str) -> None:
        """Write the title on the left and the step on the right."""
        left, right = self._edges
        room = right - left - self._text_width(step) - self._font_size
        self._draw_text((left, top), self._truncate(plain_text.printable(title), room), TEXT_COLOUR)
        self._draw.text((right, top), step, DIM_COLOUR, font(self._font_size), anchor="ra")

    def draw_dialogue(self, top: int, said: records.Interaction | None) -> None:
        """Write the last utterance after its speaker's name, None for nothing said yet."""
        if said is None:
            return
        left, right = self._edges
        self._draw_text((left, top), said.role.name.capitalize(), AGENT_COLOURS[said.role])
        indent = left + self._text_width(f"{Role.COMMANDER.name.capitalize()}  ")
        lines = list(self._wrap(plain_text.printable(said.text), right - indent))
        if len(lines) > _DIALOGUE_LINES:
            rest = " ".join(lines[_DIALOGUE_LINES - 1 :])
            lines[_DIALOGUE_LINES - 1 :] = [self._truncate(rest, right - indent)]
        for i, line in enumerate(lines):
            self._draw_text((indent, top + round(i * 1.35 * self._font_size)), line, TEXT_COLOUR)

    def draw_status(self, top: int, moment: Moment) -> None:
        """Write the last action on the left, and the goals met on the right."""
        left, right = self._edges
        goals_left = self._draw_goals(top, right, moment)
        action, colour = _describe_action(moment)
        room = goals_left - left - self._font_size
        self._draw_text((left, top), self._truncate(plain_text.printable(action), room), colour)

    def _draw_goals(self, top: int, right: int, moment: Moment) -> int:
        """Write the goals at the right edge; return their left edge."""
        progress = moment.progress
        total = progress.goal_conditions_total
        met = min(progress.goal_conditions_satisfied, total)
        text = f"{met} of {total} goals"
        colour = SUCCESS_COLOUR if met == total else DIM_COLOUR
        self._draw.text((right, top), text, colour, font(self._font_size), anchor="ra")
        at = right - self._text_width(f"{text}  ")
        if total > _MAX_GOAL_DOTS:
            return at
        side = round(self._font_size * 0.62)
        for i in range(total):
            x = at - (total - i) * round(side * 1.4)
            y = top + round(self._font_size * 0.35)
            box = (x, y, x + side, y + side)
            self._draw.rounded_rectangle(box, side // 4, SUCCESS_COLOUR if i < met else LINE_COLOUR)
        return at - total * round(side * 1.4)

    def _draw_text(self, at: tuple[int, int], text: str, colour: Colour) -> None:
        self._draw.text(at, text, colour, font(self._font_size), anchor="la")

    def _text_width(self, text: str) -> int:
        return round(self._draw.textlength(text, font(self._font_size)))

    def _wrap(self, text: str, room: int) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if line and self._text_width(longer) > room:
                yield line
                line = word
            else:
                line = longer
        yield line

    def _truncate(self, text: str, room: int) -> str:
        if self._text_width(text) <= room:
            return text
        kept = len(text)
        while kept and self._text_width(f"{text[:kept].rstrip()}...") > room:
            kept -= 1
        return f"{text[:kept].rstrip()}..."


def _describe_action(moment: Moment) -> tuple[str, Colour]:
    done = moment.interaction
    if done is None:
        return "Start", DIM_COLOUR
    if moment.utterance is not None:
        return "", DIM_COLOUR
    names = state.ShortNames(moment.snapshot)
    obj = names.name_of(done.object_id) if done.object_id else done.text
    action = " ".join(filter(None, (done.verb.value, obj)))
    if not moment.failed:
        return action, TEXT_COLOUR if moment.is_primitive else DIM_COLOUR
    why = moment.result.hint or moment.result.message if moment.result else ""
    failed = f"{action} failed: {names.shorten(why)}" if why else f"{action} failed"
    return failed, FAILURE_COLOUR


_PALETTE_SAMPLE_FRAMES = 6  # from which the film's colours are chosen
_THEME_COLOURS = (
    *(BACKGROUND_COLOUR, TEXT_COLOUR, DIM_COLOUR, LINE_COLOUR),
    *(SUCCESS_COLOUR, FAILURE_COLOUR, *AGENT_COLOURS.values()),
)
# One colour is left for pixels that do not change from frame to frame.
_SAMPLED_COLOUR_COUNT = 255 - len(_THEME_COLOURS)
_LAST_FRAME_MILLISECONDS = 2000  # how long the last frame stays before the film starts again


def encode_gif(film: Film, steps: Iterable[int], span: range, fps: float) -> bytes:
    """Return a film of these steps as a GIF file, which repeats for ever.

    All frames share one palette, so that nothing flickers.  It is chosen from frames
    spread over `span` and contains the exact colours of text and marks.  Other colours
    are dithered, because flat walls would show bands.
    """
    palette = _shared_palette(film, span)
    frames = (
        film.frame(step).quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)
        for step in steps
    )
    each = round(1000 / fps)
    buffer = BytesIO()
    next(frames).save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[*[each] * (len(span) - 1), max(each, _LAST_FRAME_MILLISECONDS)],
        loop=0,
    )
    return buffer.getvalue()


def _shared_palette(film: Film, span: range) -> Image.Image:
    count = min(_PALETTE_SAMPLE_FRAMES, len(span))
    steps = [span[i * (len(span) - 1) // max(count - 1, 1)] for i in range(count)]
    width, height = film.frame_size
    sample = Image.new("RGB", (width, height * count))
    for i, step in enumerate(steps):
        sample.paste(film.frame(step), (0, i * height))
    found = sample.quantize(_SAMPLED_COLOUR_COUNT, Image.Quantize.MEDIANCUT).getpalette() or []
    colours = [
        *found[: 3 * _SAMPLED_COLOUR_COUNT],
        *(part for colour in _THEME_COLOURS for part in colour),
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours)
    return palette


_X264_CRF = "20"  # on x264's scale lower is better; 18 looks like the original


def encode_mp4(film: Film, steps: Iterable[int], fps: float) -> bytes:
    """Return a film of these steps as an MP4 file."""
    av = errors.MissingExtra.module("video", "av")
    buffer = BytesIO()
    width, height = film.frame_size
    with av.open(buffer, "w", format="mp4") as file:
        rate = Fraction(fps).limit_denominator(1000)
        options = {"crf": _X264_CRF, "preset": "medium"}
        stream = file.add_stream("libx264", rate=rate, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for step in steps:
            pixels = np.asarray(film.frame(step))
            file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        file.mux(stream.encode())
    return buffer.getvalue()
