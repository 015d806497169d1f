"""Marks over the images of a film: agents and trail on the map, clicks in the view."""

from math import cos, radians, sin

from PIL import Image, ImageDraw

from tatc.apps.export.palette import (
    AGENT_COLOURS,
    FAILURE_COLOUR,
    SUCCESS_COLOUR,
    TEXT_COLOUR,
    Colour,
)
from tatc.home.actions import Click, Role
from tatc.home.body import BODY_RADIUS_METRES
from tatc.home.camera.room_bounds import RoomBounds
from tatc.home.state import AgentState
from tatc.sim.top_view.plan_model import PlanAgents, Point

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
            colour = (*AGENT_COLOURS[Role.FOLLOWER], 190)
            self._draw.line(points, colour, width, joint="curve")
        self._draw_agent(Role.COMMANDER, agents.commander, room_bounds)
        self._draw_agent(Role.FOLLOWER, agents.follower, room_bounds)

    def _draw_agent(self, role: Role, agent: AgentState, room_bounds: RoomBounds) -> None:
        """Draw an agent where it stands, with a tip in the direction of its yaw."""
        point = agent.position[0], agent.position[2]
        at = self._pixel_of(point, room_bounds)
        scale = self._pixels_per_metre(room_bounds)
        turns = (
            (agent.yaw, _TIP_METRES),
            (agent.yaw - _TIP_HALF_ANGLE_DEGREES, BODY_RADIUS_METRES),
            (agent.yaw + _TIP_HALF_ANGLE_DEGREES, BODY_RADIUS_METRES),
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
            self._draw.ellipse(_square_around(at, BODY_RADIUS_METRES * scale + grown), colour)

    def _pixels_per_metre(self, room_bounds: RoomBounds) -> float:
        """Return canvas pixels per metre: the map shows the whole room, seen from above."""
        return self._side / max(room_bounds.high[i] - room_bounds.low[i] for i in (0, 2))

    def _pixel_of(self, point: Point, room_bounds: RoomBounds) -> PixelPoint:
        middle, scale = self._side / 2, self._pixels_per_metre(room_bounds)
        x, z = ((room_bounds.low[i] + room_bounds.high[i]) / 2 for i in (0, 2))
        return middle + (point[0] - x) * scale, middle - (point[1] - z) * scale


def _square_around(at: PixelPoint, radius: float) -> tuple[float, float, float, float]:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius
