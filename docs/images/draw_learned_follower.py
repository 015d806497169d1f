"""Draws learned-follower.png: what the learned Follower sees, what it points at, and its map.

python docs/images/draw_learned_follower.py
"""

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tatc.commander import RuleCommander
from tatc.follower.learned.learned_followers import SHIPPED_CHECKPOINT
from tatc.follower.learned.pointing import floor_map, network, policy
from tatc.follower.learned.pointing.checkpoint import read_checkpoint
from tatc.follower.learned.pointing.pointing_follower import PointingFollower
from tatc.home.actions import INTERACTION_VERBS
from tatc.home.agent_traits import AgentTraits
from tatc.home.observation import Observation
from tatc.home.percepts import PerceptionLevel, View
from tatc.language import Wording
from tatc.session.loop import run_session
from tatc.session.start import start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room
from tatc.tdl import shipped_library

SIDE, CELL = 600, 18
OUT = Path(__file__).with_name("learned-follower.png")
COLOURS = {0: "#e9e9e4", floor_map.FLOOR_SEEN: "#ffffff", floor_map.BLOCKED: "#8b8f97"}


class Drawing(PointingFollower):
    """The Follower; it draws the first view in which it is to click."""

    traits = AgentTraits(perceives=True, masks_only=True, view_side_pixels=150)

    def act(self, observation: Observation):
        """Keep what it receives, for the frame."""
        self.observation = observation
        return super().act(observation)

    def choose(self, view: View) -> policy.Choice:
        """Draw the first click."""
        choice = super().choose(view)
        if choice.verb in INTERACTION_VERBS and not OUT.exists():
            self.draw(view, choice)
        return choice

    def draw(self, view: View, choice: policy.Choice) -> None:
        """Write the picture."""
        width = floor_map.WINDOW_SIDE * CELL
        image = Image.new("RGB", (SIDE + 20 + width, SIDE), "white")
        frame = np.asarray(self.observation.frame())
        image.paste(Image.fromarray(frame).resize((SIDE, SIDE)), (0, 0))
        draw, scale = ImageDraw.Draw(image), SIDE / len(view.pixels)
        for i, each in enumerate(self.memory.ordered):
            weight = float(choice.weights[network.FIRST_INSTANCE + i])
            if each.seen is None:
                continue
            box = [edge * scale for edge in each.seen.box]
            strong = weight > 0.01
            colour = "#d02020" if each is choice.instance else "#e8a020" if strong else "#3070c0"
            draw.rectangle(box, outline=colour, width=4 if strong else 1)
            if strong:
                draw.text((box[0] - 30, box[1] - 14), f"{each.object_type} {weight:.2f}", colour)
        x, y = choice.click.x * SIDE, choice.click.y * SIDE
        draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill="#d02020", outline="white", width=2)
        for (row, column), bits in np.ndenumerate(self.memory.floor.window(view)):
            known = bits & floor_map.BLOCKED or bits & floor_map.FLOOR_SEEN
            left, top = SIDE + 20 + column * CELL, row * CELL
            fill = "#9fd29f" if bits & floor_map.VISITED else COLOURS[known]
            draw.rectangle((left, top, left + CELL - 1, top + CELL - 1), fill=fill)
        middle = SIDE + 20 + floor_map.MIDDLE * CELL, floor_map.MIDDLE * CELL
        corners = [(0.5, 0.1), (0.9, 0.9), (0.1, 0.9)]
        draw.polygon([(middle[0] + a * CELL, middle[1] + b * CELL) for a, b in corners], "#d02020")
        image.save(OUT, optimize=True)


if __name__ == "__main__":
    OUT.unlink(missing_ok=True)
    library = shipped_library()
    start = start_from_room(load_room("kitchen-04"), library, library.find("Coffee"), (), 1)
    follower = Drawing(read_checkpoint(SHIPPED_CHECKPOINT))
    run_session(
        EmbeddedSimulator(), start.scene, start.task, RuleCommander(Wording.STEPS), follower,
        perception=PerceptionLevel.MASKS,
    )  # fmt: skip
