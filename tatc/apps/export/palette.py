"""The colours and the font of films; the colours are those of the pages of `tatc view`."""

from functools import cache
from typing import Any

from PIL import ImageFont

from tatc.home.actions import Role

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


@cache
def font(size: int) -> Any:
    """Return the font of a size in pixels."""
    return ImageFont.load_default(size)
