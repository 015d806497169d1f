"""The Follower's side of sessions in the text world as Gymnasium environments: one, or many."""

from collections.abc import Mapping
from copy import copy
from json import loads
from string import printable
from typing import Any, cast

from gymnasium import Env, spaces

from tatc.apps.envs.episode import goal_share, start_drawer
from tatc.apps.envs.spaces import check_reset, fit_text_space
from tatc.base import arguments, json_fields
from tatc.base.errors import BadInput, UsageError
from tatc.home.actions import Role
from tatc.home.state import Snapshot
from tatc.session import records, session_types, text_world, tool_session
from tatc.session.agents import agents, session_setup
from tatc.session.start import SessionStart

MAX_OBSERVATION_CHARACTERS = 8192  # the most characters of an observation; a longer one is cut
MAX_CALL_CHARACTERS = 2048  # the most characters of a tool call in JSON
ToolAction = str | Mapping[str, Any]
"""A tool call, as JSON or as what the JSON stands for: `name` and `arguments`."""


class TextFollowerEnv(Env[str, ToolAction]):
    """The Follower reads what it perceives and calls tools; a Commander of tatc's answers.

    An observation is the text that `ToolSession.text` returns.  An action is a tool call, as JSON
    text (`{"name": "turn", "arguments": {"direction": "left"}}`) or as a dictionary.  What is no
    call is answered with the reason, and changes nothing.

    The reward is the share of the task's goal conditions that a call fulfils, minus the share that
    it undoes.  An episode terminates when the task is complete or an agent stops, and is truncated
    at TATC's limits, or when `max_calls` calls were made.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    @arguments.say_arguments
    def __init__(
        self,
        task: str | int | None = "coffee",
        *,
        room: str | None = None,
        game: str | None = None,
        params: tuple[str, ...] = (),
        split: str | None = None,
        starts: int | None = None,
        commander: session_setup.CommanderArgument = "rule",
        wording: str | None = None,
        grain: str = text_world.Grain.GO_TO,
        limits: session_types.SessionLimits = session_types.TATC_LIMITS,
        max_calls: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; the first `reset` starts a session.

        Options that `FollowerEnv` has mean the same here.  `split` is a split, such as "train",
        from which the seed draws task and room in place of those named; `grain` is "go-to" or
        "primitives".  An episode is truncated after `max_calls` calls, refused ones included.
        The `render_mode` is "ansi" (the observation) or None.
        """
        if split is not None and (room is not None or game is not None or params):
            raise BadInput("a split brings its own rooms", fix="leave out room, game and params")
        self._draw = start_drawer(task, room, game, params, split=split, starts=starts)
        self.render_mode = render_mode
        name = session_setup.agent_name(commander)
        wording = agents.wording_for_tools(name, wording)
        self._setup = session_setup.SessionSetup(commander=name, wording=wording)
        self._maker = session_setup.agent_maker(commander, "Commander")
        self._grain, self._limits = text_world.parse_grain(grain), limits
        self._max_calls = arguments.check_number_from(1, None, max_calls, "max_calls")
        self.observation_space = spaces.Text(
            MAX_OBSERVATION_CHARACTERS, min_length=0, charset=printable
        )
        self.action_space = spaces.Text(MAX_CALL_CHARACTERS, min_length=0, charset=printable)
        self._session: tool_session.ToolSession | None = None
        self._checked: Snapshot | None = None
        self._share, self._calls = 0.0, 0

    @property
    def session(self) -> tool_session.ToolSession:
        """The session of the episode."""
        if self._session is None:
            raise UsageError("there is no episode", fix="call reset first")
        return self._session

    @arguments.say_arguments
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start a session that the seed draws; `options["start"]` is a start that is drawn."""
        super().reset(seed=check_reset(seed, options, "start"))
        start = (options or {}).get("start")
        if not isinstance(start, SessionStart | None):
            why = f"should be the start of a session, is {json_fields.short_repr(start)}"
            raise BadInput(why, where="options: start", fix="draw one of a split, or leave it out")
        start = start or self._draw(int(self.np_random.integers(2**31)))
        self._session = tool_session.ToolSession(
            start, self._setup, grain=self._grain, limits=self._limits, commander=self._maker
        )
        self._checked, self._calls = None, 0
        self._share = self._goal_share()
        return self._observation(), self._info()

    def step(self, action: ToolAction) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out a tool call."""
        session = self.session
        self._calls += 1
        session.call(Role.FOLLOWER, *_name_and_arguments(action))
        before, self._share = self._share, self._goal_share()
        at_limit = session.end in (records.SessionEnd.STEP_LIMIT, records.SessionEnd.FAILURE_LIMIT)
        done = self._share >= 1.0 or (session.end is not None and not at_limit)
        cut = not done and (at_limit or self._calls >= self._max_calls)
        return self._observation(), self._share - before, done, cut, self._info()

    def render(self) -> Any:
        """Return the observation ("ansi"), or None."""
        return self._observation() if self.render_mode == "ansi" else None

    def save(self) -> tool_session.SavedState:
        """Return where the session stands, for `restore`; the Follower may not use it."""
        return self.session.save()

    def restore(self, saved: tool_session.SavedState) -> str:
        """Go back to where the session stood, and return the observation; a record counts it.

        The calls made since then still count towards `max_calls`.
        """
        self.session.restore(saved)
        self._checked = None
        self._share = self._goal_share()
        return self._observation()

    def fork(self, saved: tool_session.SavedState) -> "TextFollowerEnv":
        """Return another environment, whose episode goes on from where this one's stood."""
        other = copy(self)
        other._session = self.session.fork(saved)
        other._checked = None
        other._share = other._goal_share()
        return other

    def state_hash(self) -> str:
        """Return the hash of where the session stands, the same in every process."""
        return self.session.state_hash()

    def close(self) -> None:
        """Free the world's resources."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _observation(self) -> str:
        return fit_text_space(self.session.text(Role.FOLLOWER), MAX_OBSERVATION_CHARACTERS)

    def _goal_share(self) -> float:
        """Return the share of goal conditions that are met; it is checked after a change only."""
        now, before = self.session.snapshot(), self._checked
        if before is not None and before.is_like(now):
            return self._share
        self._checked = now
        progress = self.session.start.task.check(now)
        return 1.0 if progress.success else min(goal_share(progress), 1.0)

    def _info(self) -> dict[str, Any]:
        start = self.session.start
        return {"task": start.task.name, "place": start.place, "goal_share": self._share}


def _name_and_arguments(action: object) -> tuple[object, object]:
    if isinstance(action, str):
        try:
            action = loads(action)
        except (ValueError, RecursionError):  # no JSON, or a number of too many digits
            return None, None
    if not isinstance(action, Mapping):
        return None, None
    call = cast(Mapping[str, object], action)
    return call.get("name"), call.get("arguments")
