"""Commander and Follower as a PettingZoo environment: in turns, or both asked at each step.

The Follower acts until it says something.  Then the Commander may check the progress and
move its camera, and hands the turn back by speaking.  Both get the same reward: the share
of the task's goal conditions that an action fulfils, minus the share that it undoes.
"""

from copy import deepcopy
from json import dumps
from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
from pettingzoo.utils import conversions  # pyright: ignore[reportMissingTypeStubs]

from tatc.apps.envs import episode, spaces as env_spaces
from tatc.base.arguments import say_arguments
from tatc.home.actions import Role
from tatc.session.agents.agents import ExternalCommander, ExternalFollower
from tatc.session.session_types import TATC_LIMITS, SessionLimits

COMMANDER_NAME, FOLLOWER_NAME = "commander_0", "follower_1"
"""The agents' names, with TEACh's numbers."""
AGENT_NAMES = (COMMANDER_NAME, FOLLOWER_NAME)
ROLE_OF_AGENT: dict[str, Role] = {COMMANDER_NAME: Role.COMMANDER, FOLLOWER_NAME: Role.FOLLOWER}
ENV_METADATA: dict[str, Any] = {
    "name": "dialogue_v0",
    "render_modes": ["rgb_array", "ansi"],
    "render_fps": 4,
    "is_parallelizable": False,
}


def env(**options: Any) -> "DialogueEnv":
    """Return the environment whose agents act in turns; the options are `DialogueEnv`'s."""
    return DialogueEnv(**options)


def parallel_env(**options: Any) -> "ParallelDialogueEnv":
    """Return the environment that asks both agents at each step; the options are the same."""
    return ParallelDialogueEnv(**options)


class DialogueEnv(AECEnv[str, dict[str, Any], Any]):
    """Commander and Follower, who act in turns.

    Both agents have the same spaces.  Observations are flattened by Gymnasium, and actions
    are `flat_action`'s, because PettingZoo's tools want arrays.  With `flat=False` they are
    dictionaries.  An observation holds:

    - `turn`: 1 if it is the agent's turn, else 0;
    - `heard`: what the other agent said since this one last acted;
    - `last`: how this agent's last action went: 0 none yet, 1 failed, 2 succeeded;
    - `message`: the world's message about it;
    - `task`, `progress`: the task's description and the last progress check as JSON; "" for
      the Follower;
    - `frame`, `mask`: the camera's image and the types of objects in it; or, if symbolic,
      `view`.

    An action holds `verb` (an index into `DIALOGUE_ENV_VERBS`), `click` (x to the right, y
    down, as shares of the frame) and `text`.
    """

    metadata = ENV_METADATA

    def __init__(
        self,
        task: str | int | None = "coffee",
        *,
        room: str | None = None,
        game: str | None = None,
        params: tuple[str, ...] = (),
        definitions: tuple[str, ...] = (),
        symbolic: bool = False,
        flat: bool = True,
        size: int = 300,
        quality: str = "full",
        starts: int | None = None,
        limits: SessionLimits = TATC_LIMITS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; its options are `FollowerEnv`'s, but flat (arrays) by default."""
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(AGENT_NAMES)
        size = env_spaces.check_size(size)
        self._symbolic, self._size = symbolic, size
        commander, follower = ExternalCommander(), ExternalFollower()
        self._external_agents = {COMMANDER_NAME: commander, FOLLOWER_NAME: follower}
        start = episode.start_drawer(task, room, game, params, definitions, starts=starts)
        self.episode = episode.Episode(start, commander, follower, limits, quality=quality)
        others: dict[str, spaces.Space[Any]] = {"turn": spaces.Discrete(2)}
        others |= {name: env_spaces.text_space() for name in ("task", "progress")}
        self._dict_space = env_spaces.observation_space(symbolic, size, **others)
        self._flat = flat
        observations = env_spaces.flatten_space(self._dict_space) if flat else self._dict_space
        verbs = env_spaces.DIALOGUE_ENV_VERBS
        actions = env_spaces.flat_action_space() if flat else env_spaces.dict_action_space(verbs)
        # A space holds its own random state, so each agent gets a copy.
        self.observation_spaces: Any = {agent: deepcopy(observations) for agent in AGENT_NAMES}
        self.action_spaces: Any = {agent: deepcopy(actions) for agent in AGENT_NAMES}
        self._random, _ = seeding.np_random()

    @say_arguments
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a session that the seed draws; the Follower has the first turn."""
        # The option of this name is PettingZoo's own check's.
        if (checked := env_spaces.check_reset(seed, options, "options")) is not None:
            self._random, _ = seeding.np_random(checked)
        self.episode.begin(int(self._random.integers(2**31)))
        self.agents = list(AGENT_NAMES)
        self.rewards = dict.fromkeys(AGENT_NAMES, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENT_NAMES, 0.0)
        self.terminations = dict.fromkeys(AGENT_NAMES, False)
        self.truncations = dict.fromkeys(AGENT_NAMES, False)
        self.infos = {agent: self.episode.goal_info() for agent in AGENT_NAMES}
        self.agent_selection = self._agent_in_turn()

    def step(self, action: Any) -> None:
        """Take the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._flat:
            action = env_spaces.parse_flat_action(action)
        made = env_spaces.make_action(action, env_spaces.DIALOGUE_ENV_VERBS)
        self._external_agents[agent].next_action = made
        gained = self.episode.step()
        done = self.episode.is_terminated
        self.rewards = dict.fromkeys(AGENT_NAMES, gained)
        self.terminations = dict.fromkeys(AGENT_NAMES, done)
        self.truncations = dict.fromkeys(AGENT_NAMES, self.episode.is_truncated and not done)
        self.infos = {each: self.episode.goal_info() for each in AGENT_NAMES}
        self.agent_selection = self._agent_in_turn()
        self._accumulate_rewards()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Any:
        """Return an agent's current observation."""
        checked, is_commander = self.episode.last_progress_check, agent == COMMANDER_NAME
        task = self.episode.session_start.task.definition.description
        progress = dumps(checked.to_json()) if is_commander and checked is not None else ""
        role = ROLE_OF_AGENT[agent]
        observation = {
            "turn": int(self._agent_in_turn() == agent),
            "task": env_spaces.fit_text_space(task if is_commander else ""),
            "progress": env_spaces.fit_text_space(progress),
            **self.episode.observation(role, symbolic=self._symbolic, size=self._size),
        }
        return env_spaces.flatten(self._dict_space, observation) if self._flat else observation

    def render(self) -> Any:
        """Return the Follower's frame ("rgb_array") or the session so far ("ansi")."""
        return self.episode.render(self.render_mode, self._size)

    def close(self) -> None:
        """Free the world's resources."""
        self.episode.close()

    def _agent_in_turn(self) -> str:
        return FOLLOWER_NAME if self.episode.session.turn is Role.FOLLOWER else COMMANDER_NAME


class ParallelDialogueEnv(conversions.turn_based_aec_to_parallel_wrapper):  # pyright: ignore
    """A `DialogueEnv` that asks both agents; only the action of the one in turn counts."""

    aec_env: Any

    def __init__(self, **options: Any) -> None:
        """Make an environment; the options are those of `DialogueEnv`."""
        super().__init__(DialogueEnv(**options))  # pyright: ignore[reportUnknownMemberType]

    def step(self, actions: dict[str, Any]) -> Any:
        """Take the action of the agent whose turn it is; ignore the other's."""
        env = self.aec_env
        env.step(*env_spaces.parts_of(actions, env.agent_selection))
        if any(env.terminations.values()) or any(env.truncations.values()):
            self.agents = []
        outcome = env.rewards, env.terminations, env.truncations, env.infos
        return ({agent: env.observe(agent) for agent in AGENT_NAMES}, *map(dict, outcome))
