"""Commander and Follower as a PettingZoo environment: in turns, or both asked at once.

The Follower acts until it says something; then the Commander may check the progress,
fly its camera and speak, which hands the turn back.  Both get the same reward: the
share of the task's goal conditions that an action brings about.
"""

from collections.abc import Callable
from copy import deepcopy
from json import dumps
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv  # pyright: ignore[reportMissingTypeStubs]

from tatc.actions import Role
from tatc.envs.play import OutsideCommander, OutsideFollower, Play, Start, words_of
from tatc.envs.spaces import (
    DIALOGUE_ACTS,
    SIGHT,
    action_of,
    flat_action_space,
    frame_space,
    from_flat,
    mask_of,
    mask_space,
    outcome,
    text_space,
    view_of,
    view_space,
    written,
)
from tatc.session import TATC_LIMITS, Limits

COMMANDER, FOLLOWER = "commander_0", "follower_1"
"""The agents, numbered as TEACh numbers them."""
AGENTS = (COMMANDER, FOLLOWER)
ROLES: dict[str, Role] = {COMMANDER: Role.COMMANDER, FOLLOWER: Role.FOLLOWER}
METADATA: dict[str, Any] = {
    "name": "dialogue_v0",
    "render_modes": ["rgb_array", "ansi"],
    "render_fps": 4,
    "is_parallelizable": False,
}

Seen = dict[str, Any]

# Gymnasium's own are typed only in part.
flatten_space: Callable[[spaces.Dict], spaces.Box] = getattr(spaces, "flatten_space")  # noqa: B009
flatten: Callable[[spaces.Dict, Seen], Any] = getattr(spaces, "flatten")  # noqa: B009


def env(**options: Any) -> "DialogueEnv":
    """Return the environment in turns; see `DialogueEnv` for the options."""
    return DialogueEnv(**options)


def parallel_env(**options: Any) -> "ParallelDialogueEnv":
    """Return the environment that asks both agents; options as for `env`."""
    return ParallelDialogueEnv(**options)


class DialogueEnv(AECEnv[str, Seen, Any]):
    """Commander and Follower, one at a time.

    Both see and do the same kinds of things.  An observation holds `turn` (whether it
    is the agent's), `heard` (what the other said since it last acted), `last` (0
    nothing done, 1 failed, 2 succeeded) and `message` (what the world said of it),
    `task` and `progress` (the Commander's alone: the last check's answer as JSON), and
    `frame` and `mask`, or the symbolic `view`, of its camera.

    An action holds `verb` (an index into `DIALOGUE_ACTS`), `click` and `text`.

    With `flat` both are arrays: Gymnasium's flattened observation, and `flat_action`.
    """

    metadata = METADATA

    def __init__(
        self,
        task: str | None = "coffee",
        *,
        room: str | None = None,
        game: str | None = None,
        params: tuple[str, ...] = (),
        definitions: tuple[str, ...] = (),
        symbolic: bool = False,
        flat: bool = False,
        size: int = 300,
        limits: Limits = TATC_LIMITS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; the options are those of `FollowerEnv`."""
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._symbolic, self._size = symbolic, size
        commander, follower = OutsideCommander(), OutsideFollower()
        self._outside = {COMMANDER: commander, FOLLOWER: follower}
        start = Start(
            task=task, room=room, game=game, params=params, definitions=definitions
        )
        self.play = Play(start, commander, follower, limits)
        self._sees, self._flat = _sees(symbolic, size), flat
        seen: spaces.Space[Any] = flatten_space(self._sees) if flat else self._sees
        done: spaces.Space[Any] = flat_action_space() if flat else _does()
        # Each agent has spaces of its own, because spaces hold their random state.
        self.observation_spaces: Any = {}
        self.action_spaces: Any = {}
        for agent in AGENTS:
            self.observation_spaces[agent] = deepcopy(seen)
            self.action_spaces[agent] = deepcopy(done)
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Open a session that the seed draws; the Follower has the first turn."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.play.begin(int(self._random.integers(2**31)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: self._info() for agent in AGENTS}
        self.agent_selection = self._whose_turn()

    def step(self, action: Any) -> None:
        """Let the agent whose turn it is do something."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._flat:
            action = from_flat(action)
        self._outside[agent].next = action_of(
            DIALOGUE_ACTS[int(action["verb"])], action["click"], action["text"]
        )
        gained = self.play.step()
        done = self.play.done
        self.rewards = dict.fromkeys(AGENTS, gained)
        self.terminations = dict.fromkeys(AGENTS, done)
        cut = self.play.cut_short and not done
        self.truncations = dict.fromkeys(AGENTS, cut)
        self.infos = {each: self._info() for each in AGENTS}
        self.agent_selection = self._whose_turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        """Return what an agent sees and hears now."""
        seen = self._seen(agent)
        return flatten(self._sees, seen) if self._flat else seen

    def render(self) -> Any:
        """Return the Follower's view, or what was said and done so far."""
        if self.render_mode == "ansi":
            return "\n".join(self.play.told)
        if self.render_mode == "rgb_array":
            return self.play.frame(Role.FOLLOWER, self._size)
        return None

    def close(self) -> None:
        """Free what the home holds."""
        self.play.close()

    def _whose_turn(self) -> str:
        return FOLLOWER if self.play.session.turn is Role.FOLLOWER else COMMANDER

    def _seen(self, agent: str) -> Seen:
        role = ROLES[agent]
        last, checked = self.play.last[role], self.play.checked
        knows = agent == COMMANDER
        told = dumps(checked.to_json()) if knows and checked is not None else ""
        return {
            "turn": int(self._whose_turn() == agent),
            "heard": written(words_of(self.play.heard[role])),
            "last": outcome(last),
            "message": written("" if last is None else last.message),
            "task": written(self.play.opening.task.definition.description)
            if knows
            else "",
            "progress": written(told),
            **self._shown(role),
        }

    def _shown(self, role: Role) -> Seen:
        if self._symbolic:
            return {"view": view_of(self.play.segments(role, SIGHT))}
        frame = self.play.frame(role, self._size)
        return {"frame": frame, "mask": mask_of(self.play.segments(role, self._size))}

    def _info(self) -> dict[str, Any]:
        progress = self.play.progress
        return {
            "success": progress.success,
            "goal_conditions": progress.goal_conditions_total,
            "goal_conditions_met": progress.goal_conditions_satisfied,
        }


class ParallelDialogueEnv(ParallelEnv[str, Seen, Any]):
    """Both agents are asked at each step; what is done counts from whose turn it is.

    The other agent's action is passed over.  Spaces and rewards are `DialogueEnv`'s.
    """

    metadata = METADATA

    def __init__(self, **options: Any) -> None:
        """Make an environment; the options are those of `DialogueEnv`."""
        self._turns = DialogueEnv(**options)
        self.render_mode = self._turns.render_mode
        self.possible_agents = list(AGENTS)
        self.observation_spaces = self._turns.observation_spaces
        self.action_spaces = self._turns.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Open a session that the seed draws; the Follower has the first turn."""
        self._turns.reset(seed)
        self.agents = list(AGENTS)
        return self._seen(), dict(self._turns.infos)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Seen],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let the agent whose turn it is do what it chose."""
        turns = self._turns
        turns.step(actions[turns.agent_selection])
        came = (
            self._seen(),
            dict(turns.rewards),
            dict(turns.terminations),
            dict(turns.truncations),
            dict(turns.infos),
        )
        if any(turns.terminations.values()) or any(turns.truncations.values()):
            self.agents = []
        return came

    def render(self) -> Any:
        """Return the Follower's view, or what was said and done so far."""
        return self._turns.render()

    def close(self) -> None:
        """Free what the home holds."""
        self._turns.close()

    def _seen(self) -> dict[str, Seen]:
        return {agent: self._turns.observe(agent) for agent in AGENTS}


def _sees(symbolic: bool, size: int) -> spaces.Dict:
    parts: dict[str, spaces.Space[Any]] = {
        "turn": spaces.Discrete(2),
        "last": spaces.Discrete(3),
    }
    parts |= {n: text_space() for n in ("heard", "message", "task", "progress")}
    if symbolic:
        return spaces.Dict({**parts, "view": view_space()})
    return spaces.Dict({**parts, "frame": frame_space(size), "mask": mask_space(size)})


def _does() -> spaces.Dict:
    return spaces.Dict(
        {
            "verb": spaces.Discrete(len(DIALOGUE_ACTS)),
            "click": spaces.Box(0.0, 1.0, (2,), np.float32),
            "text": text_space(),
        }
    )
