"""The Follower alone, as a Gymnasium environment with any Commander."""

from typing import Any

import numpy as np
from gymnasium import Env, spaces

from tatc.actions import INTERACTIONS, Action, Click, Role, Verb
from tatc.agents import commander_named
from tatc.envs.play import OutsideFollower, Play, Start, words_of
from tatc.envs.spaces import (
    FOLLOWER_ACTS,
    SIGHT,
    TYPES,
    action_of,
    frame_space,
    mask_of,
    mask_space,
    outcome,
    text_space,
    view_of,
    view_space,
    written,
)
from tatc.language import Question, Wording, say
from tatc.session import TATC_LIMITS, Limits

Seen = dict[str, Any]

ASK = say(Question())
"""What the Follower says where it has no words of its own."""


class FollowerEnv(Env[Seen, Any]):
    """Be the Follower: see, hear, act, ask.

    Observations are a dictionary: `heard` (what the Commander said since the last
    action), `last` (0 nothing done, 1 failed, 2 succeeded), `message` (what the world
    said of it), and `frame` and `mask`, or `view` where symbolic.

    Actions are a dictionary of `verb` (an index into `FOLLOWER_ACTS`), `click` and
    `text`; where symbolic, a pair of the verb and the type of the object that is meant,
    0 for none: a Text then asks what to do next.

    The reward is the share of the task's goal conditions that an action brings about.
    An episode terminates when the task is complete or an agent stops, and is truncated
    at TATC's limits.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        task: str | None = "coffee",
        *,
        room: str | None = None,
        game: str | None = None,
        params: tuple[str, ...] = (),
        definitions: tuple[str, ...] = (),
        commander: str = "rule",
        wording: str = Wording.ACTIONS,
        symbolic: bool = False,
        size: int = 300,
        limits: Limits = TATC_LIMITS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment; the first `reset` opens a session.

        Args:
            task: a name or a number, as for `tatc run`.
            room: a shipped room or a room file; the first that can hold the task.
            game: a recorded game whose start and task to take instead.
            params: parameters of the task; those left out are drawn.
            definitions: folders of task definitions to add.
            commander: "rule", "pddl", an entry point's name or "module:Class".
            wording: how the rule Commander speaks: "actions", "steps" or "goals".
            symbolic: see `view` in place of frames, and name types in place of clicks.
            size: pixels a side of frames and masks.
            limits: when an episode is cut short.
            render_mode: "rgb_array" (the Follower's view) or "ansi" (the session told).

        """
        self.render_mode = render_mode
        self._symbolic, self._size = symbolic, size
        self._me = OutsideFollower()
        start = Start(
            task=task, room=room, game=game, params=params, definitions=definitions
        )
        self.play = Play(start, commander_named(commander, wording)(), self._me, limits)
        said = {"heard": text_space(), "last": spaces.Discrete(3)}
        shown: dict[str, spaces.Space[Any]] = (
            {"view": view_space()}
            if symbolic
            else {"frame": frame_space(size), "mask": mask_space(size)}
        )
        self.observation_space = spaces.Dict({**said, "message": text_space(), **shown})
        self.action_space = (
            spaces.MultiDiscrete([len(FOLLOWER_ACTS), len(TYPES) + 1])
            if symbolic
            else spaces.Dict(
                {
                    "verb": spaces.Discrete(len(FOLLOWER_ACTS)),
                    "click": spaces.Box(0.0, 1.0, (2,), np.float32),
                    "text": text_space(),
                }
            )
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Open a session that the seed draws; the Follower has the first turn."""
        super().reset(seed=seed)
        self.play.begin(int(self.np_random.integers(2**31)))
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Do something, and let the Commander have its turn if words were said."""
        self._me.next = self._meant(action)
        gained = self.play.step()
        while self.play.session.turn is Role.COMMANDER and not self._over():
            gained += self.play.step()
        done, cut = self.play.done, self.play.cut_short
        return self._seen(), gained, done, cut and not done, self._info()

    def render(self) -> Any:
        """Return the Follower's view, or what was said and done so far."""
        if self.render_mode == "ansi":
            return "\n".join(self.play.told)
        if self.render_mode == "rgb_array":
            return self._frame()
        return None

    def close(self) -> None:
        """Free what the home holds."""
        self.play.close()

    def _over(self) -> bool:
        return self.play.session.end is not None

    def _meant(self, action: Any) -> Action:
        if not self._symbolic:
            verb = FOLLOWER_ACTS[int(action["verb"])]
            return action_of(verb, action["click"], action["text"])
        verb, kind = FOLLOWER_ACTS[int(action[0])], int(action[1])
        if verb is Verb.TEXT:
            return Action(verb, text=ASK)
        return Action(verb, self._click_on(kind) if verb in INTERACTIONS else None)

    def _click_on(self, kind: int) -> Click | None:
        """Return a click on the largest thing in view of a type, None for none."""
        if kind == 0:
            return None
        share, x, y = view_of(self._segments())[kind - 1]
        return Click(float(x), float(y)) if share > 0 else None

    def _segments(self) -> Any:
        return self.play.segments(
            Role.FOLLOWER, SIGHT if self._symbolic else self._size
        )

    def _frame(self) -> Any:
        return self.play.frame(Role.FOLLOWER, self._size)

    def _seen(self) -> Seen:
        last = self.play.last[Role.FOLLOWER]
        seen: Seen = {
            "heard": written(words_of(self.play.heard[Role.FOLLOWER])),
            "last": outcome(last),
            "message": written("" if last is None else last.message),
        }
        if self._symbolic:
            return seen | {"view": view_of(self._segments())}
        mask = mask_of(self._segments())
        return seen | {"frame": self._frame(), "mask": mask}

    def _info(self) -> dict[str, Any]:
        progress, opening = self.play.progress, self.play.opening
        return {
            "task": opening.task.name,
            "place": opening.place,
            "success": progress.success,
            "goal_conditions": progress.goal_conditions_total,
            "goal_conditions_met": progress.goal_conditions_satisfied,
        }
