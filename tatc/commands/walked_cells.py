"""Where the Follower of a recorded game stood, and where it was refused to step."""

from collections.abc import Iterator

from tatc.home.actions import TRANSLATION_VERBS, Cell, Role
from tatc.session.records import Game
from tatc.session.records.recorded_steps import agent_state_at
from tatc.sim.embedded.motion import cell_ahead, cell_under


def walked_cells(game: Game) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells that a game's Follower stood on, and others that refused a step.

    Raises:
        GameFormatError: an interaction cannot be read.

    """
    tried = tuple(_tried_cells(game))
    stood = frozenset(cell for cell, stands in tried if stands)
    return stood, frozenset(cell for cell, stands in tried if not stands) - stood


def _tried_cells(game: Game) -> Iterator[tuple[Cell, bool]]:
    """Yield cells and whether the Follower came to stand there (spec 2.14)."""
    body = game.scene.start.follower
    yield cell_under(body), True
    for done in game.interactions:
        if done.role is not Role.FOLLOWER:
            continue
        if done.verb in TRANSLATION_VERBS and not done.success:
            yield cell_ahead(body, done.verb), False
        if done.pose is not None:
            body = agent_state_at(done.pose)
            yield cell_under(body), True
