"""Floor maps: where people stood and were refused, and what else they show of a plan.

A map is made from recorded games and from a clone of ALFRED (`tatc rooms import`) and
used only where it is asked for.  It keeps each game's cells and traces (`traces`)
apart, so that a world that replays a game never sees what was learned from that game.
ALFRED was recorded in AI2-THOR 2.1.0, whose rooms differ a little: where one of its
cells was refused to people, they are believed.
"""

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from tatc.sim.maps.traces import NOTHING, Traces, together

Cell = tuple[int, int]
"""A cell of the floor: x and z in steps of 0.25 m."""

ALFRED = "alfred:"
"""What the names of ALFRED's layouts and trajectories begin with, among games."""

ByGame = Mapping[str, Mapping[str, frozenset[Cell]]]
"""Cells by floor plan and game."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Where somebody stood in a floor plan, where a step was refused, what it shows."""

    plan: str
    game: str
    stood: frozenset[Cell]
    refused: frozenset[Cell] = frozenset()
    traces: Traces = NOTHING


# No slots: a cached property keeps what it made in the instance's dictionary.
@dataclass(frozen=True)
class Content:
    """What a map holds: `plans[floor plan][game id]`, so also `refused` and `shown`.

    `plans` are the cells people stood on, `refused` those they could not step on.
    """

    plans: ByGame = field(default_factory=lambda: frozen({}))
    refused: ByGame = field(default_factory=lambda: frozen({}))
    shown: Mapping[str, Mapping[str, Traces]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def listed(self) -> dict[str, Any]:
        """Return it as JSON values, sorted."""
        raw: dict[str, Any] = {"plans": _listed(self.plans)}
        if self.refused:
            raw["refused"] = _listed(self.refused)
        if self.shown:
            raw["shown"] = {
                plan: {game: games[game].listed() for game in sorted(games)}
                for plan, games in sorted(self.shown.items())
            }
        return raw

    @cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, for records and reports."""
        text = json.dumps(self.listed(), separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class FloorMap:
    """A named map; `left_out` names a game of which nothing is given out."""

    name: str
    content: Content
    left_out: str = ""

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits of the content, the game left out included."""
        return self.content.hash

    def without(self, game_id: str) -> "FloorMap":
        """Return the same map, same hash, as a world for this game may see it."""
        return replace(self, left_out=game_id)

    def cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells that were stood on in a floor plan, in other games."""
        return self._union(self.content.plans, plan)

    def blocked(self, plan: str) -> frozenset[Cell]:
        """Return the cells that were refused to people and on which nobody stood.

        One refusal is enough, as long as no other game shows the contrary: furniture
        that was moved, or a door that stood open.
        """
        stood = self._union(self.content.plans, plan, people=True)
        return self._union(self.content.refused, plan) - stood

    def traces(self, plan: str) -> Traces:
        """Return what other games show of a floor plan."""
        games = self.content.shown.get(plan, {})
        return together(games[game] for game in games if game != self.left_out)

    def _union(
        self, plans: ByGame, plan: str, *, people: bool = False
    ) -> frozenset[Cell]:
        return frozenset[Cell]().union(
            *(
                cells
                for game, cells in plans.get(plan, {}).items()
                if game != self.left_out and not (people and game.startswith(ALFRED))
            )
        )


def import_walks(name: str, walks: Iterable[Walk]) -> FloorMap:
    """Return the map of what was walked; walks of one game add up."""
    plans: dict[str, dict[str, set[Cell]]] = {}
    refused: dict[str, dict[str, set[Cell]]] = {}
    shown: dict[str, dict[str, Traces]] = {}
    for walk in walks:
        plans.setdefault(walk.plan, {}).setdefault(walk.game, set()).update(walk.stood)
        if walk.refused:
            games = refused.setdefault(walk.plan, {})
            games.setdefault(walk.game, set()).update(walk.refused)
        if walk.traces:
            games = shown.setdefault(walk.plan, {})
            games[walk.game] = together((games.get(walk.game, NOTHING), walk.traces))
    return FloorMap(name, Content(frozen(plans), frozen(refused), shown))


def _listed(plans: ByGame) -> dict[str, dict[str, list[Cell]]]:
    return {
        plan: {game: sorted(games[game]) for game in sorted(games)}
        for plan, games in sorted(plans.items())
    }


def frozen(plans: Mapping[str, Mapping[str, Set[Cell]]]) -> ByGame:
    """Return cells by floor plan and game that nobody can change."""
    return MappingProxyType(
        {
            plan: MappingProxyType({g: frozenset(cells) for g, cells in games.items()})
            for plan, games in plans.items()
        }
    )
