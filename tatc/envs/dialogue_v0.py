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
from tatc.envs.episode import (
    Episode,
    EpisodeStart,
    ExternalCommander,
    ExternalFollower,
    joined_text,
)
from tatc.envs.spaces import (
    DIALOGUE_ENV_VERBS,
    SYMBOLIC_VIEW_SIDE_PIXELS,
    fit_text_space,
    flat_action_space,
    frame_space,
    make_action,
    mask_space,
    outcome_code,
    parse_flat_action,
    symbolic_view,
    symbolic_view_space,
    text_space,
    type_mask,
)
from tatc.session import TATC_LIMITS, SessionLimits

COMMANDER_NAME, FOLLOWER_NAME = "commander_0", "follower_1"
"""The agents, numbered as TEACh numbers them."""
AGENT_NAMES = (COMMANDER_NAME, FOLLOWER_NAME)
ROLE_OF_AGENT: dict[str, Role] = {COMMANDER_NAME: Role.COMMANDER, FOLLOWER_NAME: Role.FOLLOWER}
ENV_METADATA: dict[str, Any] = {
    "name": "dialogue_v0",
    "render_modes": ["rgb_array", "ansi"],
    "render_fps": 4,
    "is_parallelizable": False,
}

ObservationDict = dict[str, Any]

# Gymnasium's own are typed only in part.
flatten_space: Callable[[spaces.Dict], spaces.Box] = getattr(spaces, "flatten_space")  # noqa: B009
flatten: Callable[[spaces.Dict, ObservationDict], Any] = getattr(spaces, "flatten")  # noqa: B009


def env(**options: Any) -> "DialogueEnv":
    """Return the environment in turns; see `DialogueEnv` for the options."""
    return DialogueEnv(**options)


def parallel_env(**options: Any) -> "ParallelDialogueEnv":
    """Return the environment that asks both agents; options as for `env`."""
    return ParallelDialogueEnv(**options)


class DialogueEnv(AECEnv[str, ObservationDict, Any]):
    """Commander and Follower, one at a time.

    Both see and do the same kinds of things.  An observation holds `turn` (whether it
    is the agent's), `heard` (what the other said since it last acted), `last` (0
    nothing done, 1 failed, 2 succeeded) and `message` (what the world said of it),
    `task` and `progress` (the Commander's alone: the last check's answer as JSON), and
    `frame` and `mask`, or the symbolic `view`, of its camera.

    An action holds `verb` (an index into `DIALOGUE_ENV_VERBS`), `click` and `text`.

    With `flat` both are arrays: Gymnasium's flattened observation, and `flat_action`.
    """

    metadata = ENV_METADATA

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
        limits: SessionLimits = TATC_LIMITS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; the options are those of `FollowerEnv`."""
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(AGENT_NAMES)
        self._symbolic, self._size = symbolic, size
        commander, follower = ExternalCommander(), ExternalFollower()
        self._external_agents = {COMMANDER_NAME: commander, FOLLOWER_NAME: follower}
        start = EpisodeStart(
            task=task, room=room, game=game, params=params, definitions=definitions
        )
        self.episode = Episode(start, commander, follower, limits)
        self._dict_observation_space, self._flat = (_make_observation_space(symbolic, size), flat)
        observation_space: spaces.Space[Any] = (
            flatten_space(self._dict_observation_space) if flat else self._dict_observation_space
        )
        action_space: spaces.Space[Any] = flat_action_space() if flat else _make_action_space()
        # Each agent has spaces of its own, because spaces hold their random state.
        self.observation_spaces: Any = {}
        self.action_spaces: Any = {}
        for agent in AGENT_NAMES:
            self.observation_spaces[agent] = deepcopy(observation_space)
            self.action_spaces[agent] = deepcopy(action_space)
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Open a session that the seed draws; the Follower has the first turn."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.episode.begin(int(self._random.integers(2**31)))
        self.agents = list(AGENT_NAMES)
        self.rewards = dict.fromkeys(AGENT_NAMES, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENT_NAMES, 0.0)
        self.terminations = dict.fromkeys(AGENT_NAMES, False)
        self.truncations = dict.fromkeys(AGENT_NAMES, False)
        self.infos = {agent: self._info() for agent in AGENT_NAMES}
        self.agent_selection = self._agent_in_turn()

    def step(self, action: Any) -> None:
        """Let the agent whose turn it is do something."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._flat:
            action = parse_flat_action(action)
        self._external_agents[agent].next_action = make_action(
            DIALOGUE_ENV_VERBS[int(action["verb"])], action["click"], action["text"]
        )
        gained = self.episode.step()
        done = self.episode.is_terminated
        self.rewards = dict.fromkeys(AGENT_NAMES, gained)
        self.terminations = dict.fromkeys(AGENT_NAMES, done)
        cut = self.episode.is_truncated and not done
        self.truncations = dict.fromkeys(AGENT_NAMES, cut)
        self.infos = {each: self._info() for each in AGENT_NAMES}
        self.agent_selection = self._agent_in_turn()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Any:
        """Return what an agent sees and hears now."""
        observation = self._observation(agent)
        return flatten(self._dict_observation_space, observation) if self._flat else observation

    def render(self) -> Any:
        """Return the Follower's view, or what was said and done so far."""
        if self.render_mode == "ansi":
            return "\n".join(self.episode.transcript_lines)
        if self.render_mode == "rgb_array":
            return self.episode.frame(Role.FOLLOWER, self._size)
        return None

    def close(self) -> None:
        """Free what the home holds."""
        self.episode.close()

    def _agent_in_turn(self) -> str:
        return FOLLOWER_NAME if self.episode.session.turn is Role.FOLLOWER else COMMANDER_NAME

    def _observation(self, agent: str) -> ObservationDict:
        role = ROLE_OF_AGENT[agent]
        last, checked = (self.episode.last_results[role], self.episode.last_progress_check)
        knows = agent == COMMANDER_NAME
        told = dumps(checked.to_json()) if knows and checked is not None else ""
        return {
            "turn": int(self._agent_in_turn() == agent),
            "heard": fit_text_space(joined_text(self.episode.heard[role])),
            "last": outcome_code(last),
            "message": fit_text_space("" if last is None else last.message),
            "task": fit_text_space(self.episode.session_start.task.definition.description)
            if knows
            else "",
            "progress": fit_text_space(told),
            **self._view_entries(role),
        }

    def _view_entries(self, role: Role) -> ObservationDict:
        if self._symbolic:
            return {"view": symbolic_view(self.episode.segments(role, SYMBOLIC_VIEW_SIDE_PIXELS))}
        frame = self.episode.frame(role, self._size)
        return {"frame": frame, "mask": type_mask(self.episode.segments(role, self._size))}

    def _info(self) -> dict[str, Any]:
        progress = self.episode.progress
        return {
            "success": progress.success,
            "goal_conditions": progress.goal_conditions_total,
            "goal_conditions_met": progress.goal_conditions_satisfied,
        }


class ParallelDialogueEnv(ParallelEnv[str, ObservationDict, Any]):
    """Both agents are asked at each step; what is done counts from whose turn it is.

    The other agent's action is passed over.  Spaces and rewards are `DialogueEnv`'s.
    """

    metadata = ENV_METADATA

    def __init__(self, **options: Any) -> None:
        """Make an environment; the options are those of `DialogueEnv`."""
        self._aec_env = DialogueEnv(**options)
        self.render_mode = self._aec_env.render_mode
        self.possible_agents = list(AGENT_NAMES)
        self.observation_spaces = self._aec_env.observation_spaces
        self.action_spaces = self._aec_env.action_spaces

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, ObservationDict], dict[str, dict[str, Any]]]:
        """Open a session that the seed draws; the Follower has the first turn."""
        self._aec_env.reset(seed)
        self.agents = list(AGENT_NAMES)
        return self._observations(), dict(self._aec_env.infos)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, ObservationDict],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let the agent whose turn it is do what it chose."""
        turns = self._aec_env
        turns.step(actions[turns.agent_selection])
        came = (
            self._observations(),
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
        return self._aec_env.render()

    def close(self) -> None:
        """Free what the home holds."""
        self._aec_env.close()

    def _observations(self) -> dict[str, ObservationDict]:
        return {agent: self._aec_env.observe(agent) for agent in AGENT_NAMES}


def _make_observation_space(symbolic: bool, size: int) -> spaces.Dict:
    parts: dict[str, spaces.Space[Any]] = {"turn": spaces.Discrete(2), "last": spaces.Discrete(3)}
    parts |= {n: text_space() for n in ("heard", "message", "task", "progress")}
    if symbolic:
        return spaces.Dict({**parts, "view": symbolic_view_space()})
    return spaces.Dict({**parts, "frame": frame_space(size), "mask": mask_space(size)})


def _make_action_space() -> spaces.Dict:
    return spaces.Dict(
        {
            "verb": spaces.Discrete(len(DIALOGUE_ENV_VERBS)),
            "click": spaces.Box(0.0, 1.0, (2,), np.float32),
            "text": text_space(),
        }
    )
