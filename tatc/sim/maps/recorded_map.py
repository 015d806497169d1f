"""Recorded maps: what recorded sessions show of floor plans, kept apart by game.

`tatc maps build` makes a map from recorded games and from a clone of ALFRED.  It holds
where people stood, where steps were refused, and other evidence.  A map is optional: it is
used only where it is asked for.  It stores cells and evidence by game, so that a game is
replayed with a map built from the other games only.  ALFRED was recorded in AI2-THOR
2.1.0, whose rooms differ a little: where a TEACh game was refused one of ALFRED's cells,
the TEACh game is believed.
"""

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from tatc.home.actions import Cell
from tatc.sim.maps.recorded_evidence import NO_EVIDENCE, RecordedEvidence, merge_evidence

ALFRED_PREFIX = "alfred:"
"""The prefix of ALFRED's layouts and trajectories among the names of games."""

CellsByGame = Mapping[str, Mapping[str, frozenset[Cell]]]
"""Cells by floor plan and game."""


@dataclass(frozen=True, slots=True)
class GameEvidence:
    """What one game shows: cells stood on, cells that refused a step, and other evidence."""

    plan: str
    game: str
    visited: frozenset[Cell]
    refused: frozenset[Cell] = frozenset()
    evidence: RecordedEvidence = NO_EVIDENCE


# No slots, because a cached property keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class MapContent:
    """What a map holds, each by floor plan and then by game id.

    `visited` are the cells people stood on, `refused` those they could not step on.
    """

    visited: CellsByGame = field(default_factory=lambda: freeze_cells({}))
    refused: CellsByGame = field(default_factory=lambda: freeze_cells({}))
    evidence: Mapping[str, Mapping[str, RecordedEvidence]] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON values, sorted."""
        raw: dict[str, Any] = {"plans": _cells_to_json(self.visited)}
        if self.refused:
            raw["refused"] = _cells_to_json(self.refused)
        if self.evidence:
            raw["shown"] = {
                plan: {game: games[game].to_json() for game in sorted(games)}
                for plan, games in sorted(self.evidence.items())
            }
        return raw

    @cached_property
    def hash(self) -> str:
        """The content's hash for records and reports: twelve hexadecimal digits."""
        text = json.dumps(self.to_json(), separators=(",", ":"))
        return sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class RecordedMap:
    """A named map of floor plans; what it knows from `excluded_game` is never given out."""

    name: str
    content: MapContent
    excluded_game: str = ""

    @property
    def hash(self) -> str:
        """The content's hash, with the excluded game included: twelve hexadecimal digits."""
        return self.content.hash

    def without_game(self, game_id: str) -> "RecordedMap":
        """Return the same map, with the same hash, for a world that runs this game.

        For a trajectory of ALFRED's, the id is that of its trial.
        """
        return replace(self, excluded_game=game_id)

    def visited_cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells of a floor plan that somebody stood on in other games."""
        return self._union_of_games(self.content.visited, plan)

    def blocked_cells(self, plan: str) -> frozenset[Cell]:
        """Return the cells that refused a step and on which nobody stood.

        One refusal is enough unless another game shows the contrary, which happens when
        furniture was moved or a door stood open.
        """
        stood = self._union_of_games(self.content.visited, plan, people_only=True)
        return self._union_of_games(self.content.refused, plan) - stood

    def evidence_for(self, plan: str) -> RecordedEvidence:
        """Return what the other games show about a floor plan."""
        games = self.content.evidence.get(plan, {})
        return merge_evidence(games[game] for game in games if not self._is_excluded(game))

    def _is_excluded(self, game: str) -> bool:
        return game.removeprefix(ALFRED_PREFIX) == self.excluded_game

    def _union_of_games(
        self, cells_by_game: CellsByGame, plan: str, *, people_only: bool = False
    ) -> frozenset[Cell]:
        return frozenset[Cell]().union(
            *(
                cells
                for game, cells in cells_by_game.get(plan, {}).items()
                if not self._is_excluded(game)
                and not (people_only and game.startswith(ALFRED_PREFIX))
            )
        )


def build_recorded_map(name: str, games_evidence: Iterable[GameEvidence]) -> RecordedMap:
    """Return the map of all evidence; what several entries show of one game is merged."""
    plans: dict[str, dict[str, set[Cell]]] = {}
    refused: dict[str, dict[str, set[Cell]]] = {}
    shown: dict[str, dict[str, RecordedEvidence]] = {}
    for walk in games_evidence:
        plans.setdefault(walk.plan, {}).setdefault(walk.game, set()).update(walk.visited)
        if walk.refused:
            games = refused.setdefault(walk.plan, {})
            games.setdefault(walk.game, set()).update(walk.refused)
        if walk.evidence:
            games = shown.setdefault(walk.plan, {})
            games[walk.game] = merge_evidence((games.get(walk.game, NO_EVIDENCE), walk.evidence))
    return RecordedMap(name, MapContent(freeze_cells(plans), freeze_cells(refused), shown))


def _cells_to_json(plans: CellsByGame) -> dict[str, dict[str, list[Cell]]]:
    return {
        plan: {game: sorted(games[game]) for game in sorted(games)}
        for plan, games in sorted(plans.items())
    }


def freeze_cells(plans: Mapping[str, Mapping[str, Set[Cell]]]) -> CellsByGame:
    """Return the cells by floor plan and game as an immutable mapping."""
    return MappingProxyType(
        {
            plan: MappingProxyType({g: frozenset(cells) for g, cells in games.items()})
            for plan, games in plans.items()
        }
    )
