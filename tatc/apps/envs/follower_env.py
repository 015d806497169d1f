"""The Follower's side of a session as a Gymnasium environment, with any Commander."""

from typing import Any

from gymnasium import Env, spaces

from tatc.apps.envs import episode, spaces as env_spaces
from tatc.base.arguments import say_arguments
from tatc.base.errors import BadInput
from tatc.home.actions import INTERACTION_VERBS, Action, Click, Role, Verb
from tatc.language import InstructionRequest, Wording, say
from tatc.session.agents import agents, session_setup
from tatc.session.session_types import TATC_LIMITS, SessionLimits

QUESTION_TEXT = say(InstructionRequest())  # what the Follower says where actions hold no text


class FollowerEnv(Env[Any, Any]):
    """The Follower sees, hears, acts and asks; a Commander of tatc's answers.

    An observation is a dictionary:

    - `heard`: what the Commander said since the last action;
    - `last`: how the last action went: 0 none yet, 1 failed, 2 succeeded;
    - `message`: the world's message about it;
    - `frame`, `mask`: the camera's image and the types of objects in it; or, if symbolic,
      `view`.

    An action is a dictionary of `verb` (an index into `FOLLOWER_ENV_VERBS`), `click` (x to
    the right, y down, as shares of the frame) and `text`.  If symbolic, it is a pair of the
    verb and the type of the object that is meant, 0 for none; a Text asks what to do next.

    If flat, there are no texts: an observation is one array, in which the types that the
    Commander named stand for its words, and an action is an array of the verb and the
    column and row of the clicked pixel, or the pair of the symbolic environment.

    The reward is the share of goal conditions that an action fulfils, minus what it undoes.  An
    episode terminates when the task is done or an agent stops, and is truncated at TATC's limits.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    @say_arguments
    def __init__(
        self,
        task: str | int | None = "coffee",
        *,
        room: str | None = None,
        game: str | None = None,
        params: tuple[str, ...] = (),
        definitions: tuple[str, ...] = (),
        commander: session_setup.CommanderArgument = "rule",
        wording: str = Wording.ACTIONS,
        symbolic: bool = False,
        flat: bool = False,
        size: int = 300,
        quality: str = "full",
        starts: int | None = None,
        limits: SessionLimits = TATC_LIMITS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; the first `reset` starts a session.

        `task` to `wording` are as of `tatc.run`; the seed draws the parameters that are left out.
        `symbolic` and `flat` choose the spaces, `size` is the side of frames and masks in pixels,
        and at `limits` an episode is truncated.  Frames of the `quality` "flat" have each thing in
        one colour.  Of a number of `starts` the seed draws one; they are kept once drawn.  The
        `render_mode` is "rgb_array" (the Follower's frame), "ansi" (the session in words) or None.
        """
        self.render_mode = render_mode
        size = env_spaces.check_size(size)
        self._symbolic, self._size = symbolic, size
        self._agent = agents.ExternalFollower()
        start = episode.start_drawer(task, room, game, params, definitions, starts=starts)
        name = session_setup.agent_name(commander)
        setup = session_setup.SessionSetup(commander=name, wording=wording)
        given = session_setup.AgentOverrides(session_setup.agent_maker(commander, "Commander"))
        make = session_setup.find_commander(setup, given)
        self.episode = episode.Episode(start, make(), self._agent, limits, quality=quality)
        self._flat = flat
        self._wordless_space = env_spaces.wordless_observation_space(symbolic, size)
        worded = env_spaces.observation_space(symbolic, size)
        self.observation_space = env_spaces.flatten_space(self._wordless_space) if flat else worded
        pixel, kind = {"column": size, "row": size}, {"type": len(env_spaces.OBJECT_TYPES) + 1}
        target = kind if symbolic else pixel
        self._parts = {"verb": len(env_spaces.FOLLOWER_ENV_VERBS), **target}
        if symbolic or flat:
            self.action_space = spaces.MultiDiscrete([*self._parts.values()])
        else:
            self.action_space = env_spaces.dict_action_space(env_spaces.FOLLOWER_ENV_VERBS)

    @say_arguments
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a session that the seed draws; the Follower has the first turn."""
        super().reset(seed=env_spaces.check_reset(seed, options))
        self.episode.begin(int(self.np_random.integers(2**31)))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the Commander take its turn if the action was to speak."""
        self._agent.next_action = self._parse_action(action)
        gained = self.episode.step()
        session = self.episode.session
        while session.turn is Role.COMMANDER and session.end is None:
            gained += self.episode.step()
        done, cut = self.episode.is_terminated, self.episode.is_truncated
        return self._observation(), gained, done, cut and not done, self._info()

    def render(self) -> Any:
        """Return the Follower's frame ("rgb_array") or the session so far ("ansi")."""
        return self.episode.render(self.render_mode, self._size)

    def close(self) -> None:
        """Free the world's resources."""
        self.episode.close()

    def _parse_action(self, action: Any) -> Action:
        if not (self._symbolic or self._flat):
            return env_spaces.make_action(action, env_spaces.FOLLOWER_ENV_VERBS)
        given: Any = action.tolist() if hasattr(action, "tolist") else action
        if type(given) not in (list, tuple) or len(given) != len(self._parts):
            fix = f"give {', '.join(self._parts)}"
            raise BadInput(f"should be {len(self._parts)} numbers", where="action", fix=fix)
        parts = zip(given, self._parts.items(), strict=True)
        number, *target = [
            env_spaces.check_part(value, count, part) for value, (part, count) in parts
        ]
        verb = env_spaces.FOLLOWER_ENV_VERBS[number]
        if verb is Verb.TEXT:
            return Action(verb, text=QUESTION_TEXT)
        if verb not in INTERACTION_VERBS:
            return Action(verb)
        if self._symbolic:
            return Action(verb, self._click_on_type(target[0]))
        x, y = ((number + 0.5) / self._size for number in target)
        return Action(verb, Click(x, y))

    def _click_on_type(self, type_number: int) -> Click | None:
        if type_number == 0:
            return None
        share, x, y = self.episode.symbolic_view(Role.FOLLOWER)[type_number - 1]
        return Click(float(x), float(y)) if share > 0 else None

    def _observation(self) -> Any:
        seen = self.episode.observation(Role.FOLLOWER, symbolic=self._symbolic, size=self._size)
        if not self._flat:
            return seen
        wordless = {name: part for name, part in seen.items() if not isinstance(part, str)}
        wordless["named"] = env_spaces.named_types(seen["heard"])
        return env_spaces.flatten(self._wordless_space, wordless)

    def _info(self) -> dict[str, Any]:
        start = self.episode.session_start
        return {"task": start.task.name, "place": start.place, **self.episode.goal_info()}
