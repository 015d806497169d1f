"""What is drawn over the pictures: the agents and their way, and where a click fell."""

from collections.abc import Sequence
from math import cos, radians, sin

from PIL import Image, ImageDraw

from tatc.actions import Click, Role
from tatc.camera.shell import Shell
from tatc.export.palette import AGENTS, BAD, GOOD, INK, Colour
from tatc.state import AgentState

_FINE = 3  # marks are drawn this many times larger and made smaller, for smooth edges
_BODY = 0.2  # metres from an agent's middle to its edge
_NOSE = 0.42  # metres from an agent's middle to the tip that shows where it looks
_WIDE = 50.0  # degrees from the tip to where it leaves the body

Point = tuple[float, float]
Place = tuple[float, float]
"""x and z of a point of the floor, metres."""


class Overlay:
    """Marks for a square picture, `size` pixels a side."""

    def __init__(self, size: int) -> None:
        """Begin with none."""
        self._size = size
        side = size * _FINE
        self._image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._image)

    def over(self, picture: Image.Image) -> Image.Image:
        """Return a picture with the marks over it."""
        marks = self._image.resize((self._size, self._size), Image.Resampling.BOX)
        return Image.alpha_composite(picture.convert("RGBA"), marks).convert("RGB")

    def click(self, click: Click, *, success: bool) -> None:
        """Ring the point that was clicked on, by whether it did what was wanted."""
        side = self._size * _FINE
        x, y, radius = click.x * side, click.y * side, side / 28
        for grown, width, colour in (
            (2, 5, (0, 0, 0)),
            (0, 3, GOOD if success else BAD),
        ):
            self._ring((x, y), radius + grown, width * self._size / 300, colour)

    def _ring(self, at: Point, radius: float, width: float, colour: Colour) -> None:
        box = _around(at, radius + width)
        self._draw.ellipse(box, outline=colour, width=max(_FINE, round(width * _FINE)))

    def way(self, places: Sequence[Place], shell: Shell) -> None:
        """Draw the way that the Follower has walked."""
        points = [self._at(place, shell) for place in places]
        if len(points) > 1:
            width = max(_FINE, self._size * _FINE // 110)
            colour = (*AGENTS[Role.FOLLOWER], 190)
            self._draw.line(points, colour, width, joint="curve")

    def agent(self, role: Role, agent: AgentState, shell: Shell) -> None:
        """Draw an agent where it stands, with a tip where it looks."""
        place = agent.position[0], agent.position[2]
        at = self._at(place, shell)
        scale = self._scale(shell)
        turns = (
            (agent.yaw, _NOSE),
            (agent.yaw - _WIDE, _BODY),
            (agent.yaw + _WIDE, _BODY),
        )
        for grown, colour in ((self._size * _FINE / 160, INK), (0.0, AGENTS[role])):
            tip = [
                (
                    at[0] + sin(radians(turn)) * (length * scale + grown),
                    at[1] - cos(radians(turn)) * (length * scale + grown),
                )
                for turn, length in turns
            ]
            self._draw.polygon(tip, colour)
            self._draw.ellipse(_around(at, _BODY * scale + grown), colour)

    def _scale(self, shell: Shell) -> float:
        """Return drawn pixels a metre, as the map's camera sees the floor."""
        return self._size * _FINE / max(shell.high[i] - shell.low[i] for i in (0, 2))

    def _at(self, place: Place, shell: Shell) -> Point:
        middle, scale = self._size * _FINE / 2, self._scale(shell)
        x, z = ((shell.low[i] + shell.high[i]) / 2 for i in (0, 2))
        return middle + (place[0] - x) * scale, middle - (place[1] - z) * scale


def _around(at: Point, radius: float) -> tuple[float, float, float, float]:
    return at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius
