"""A session whose agents are controlled from outside, which the environments wrap."""

from collections.abc import Callable
from functools import lru_cache, partial
from operator import is_
from typing import Any

from tatc.apps.envs import spaces, symbolic_view
from tatc.base.arguments import check_number_from, check_text, texts
from tatc.base.errors import UnknownName
from tatc.commander import Commander
from tatc.follower import Follower
from tatc.home.actions import ActionResult, Role, Utterance, Verb
from tatc.home.state import ObjectState
from tatc.session import loop, play, records, session_types, worlds
from tatc.session.start import SessionStart, load_split
from tatc.sim.embedded import simulator
from tatc.tdl import Progress

MAX_KEPT_STARTS = 1024
"""The most starts that a process keeps; beyond it, the one used least recently is drawn anew."""


def start_drawer(
    task: str | int | None,
    room: str | None,
    game: str | None,
    params: tuple[str, ...],
    definitions: tuple[str, ...] = (),
    *,
    split: str | None = None,
    starts: int | None = None,
) -> Callable[[int], SessionStart]:
    """Return what draws the start of a seed from a split, or by options of `tatc.run`.

    With `starts`, only so many are drawn, and all environments of the process keep them: seeds
    that are alike modulo `starts` share one.
    """
    named = {"task": None if game else task, "room": room, "game": game, "split": split}
    given = {name: None if each is None else check_text(each, name) for name, each in named.items()}
    if split is not None:
        load_split(split)  # a name that is wrong is said now
    folders = texts(definitions, "definitions")
    options = *given.items(), ("params", texts(params, "params")), ("task_folders", folders)
    if starts is None:
        return partial(_draw_start, options)
    count = check_number_from(1, None, starts, "starts")
    return lambda seed: _kept_start(options, seed % count)


def _draw_start(options: tuple[tuple[str, Any], ...], seed: int) -> SessionStart:
    given = dict(options)
    split = given.pop("split")
    if split is not None:
        return load_split(split).draw(seed)
    return play.find_session_start(**given, seed=seed)


_kept_start = lru_cache(maxsize=MAX_KEPT_STARTS)(_draw_start)


class Episode:
    """One session after another, each stepped from outside.

    `heard` holds what was said to each agent since it last acted, `last_results` the result
    of each agent's last action, `last_progress_check` that of the last progress check.
    """

    def __init__(
        self,
        start: Callable[[int], SessionStart],
        commander: Commander,
        follower: Follower,
        limits: session_types.SessionLimits = session_types.TATC_LIMITS,
        *,
        quality: str = spaces.FRAME_QUALITIES[0],
    ) -> None:
        """Use these agents, either of which may be an external one."""
        self._draw, self._limits, self._quality = start, limits, quality
        UnknownName.check("quality", quality, spaces.FRAME_QUALITIES)
        self._agents = commander, follower
        self._sim = simulator.EmbeddedSimulator()

    def begin(self, seed: int) -> None:
        """Start a new session; the seed draws its start."""
        self.session_start = start = self._draw(seed)
        floor_map = worlds.load_map_for(worlds.SHIPPED_MAP, start.scene.place, start.game_id)
        self._sim = simulator.EmbeddedSimulator(floor_map, fast=None)
        self.heard: dict[Role, list[Utterance]] = {role: [] for role in Role}
        self.last_results: dict[Role, ActionResult | None] = dict.fromkeys(Role)
        self.last_progress_check: Progress | None = None
        self.transcript_lines: list[str] = []
        self.session = loop.Session(
            self._sim, start.task, *self._agents, limits=self._limits, watch=self._record_event
        )
        self.session.start(start.scene)
        if self._quality == "flat":
            self._sim.renderer.flatten()
        self._checked: tuple[ObjectState, ...] | None = None
        self._update_progress()

    def step(self) -> float:
        """Let the agent in turn act; return the reward: the share of the goal that it gained."""
        self.heard[self.session.turn] = []
        self.session.step()
        self.last_results[Role.FOLLOWER] = self.session.last_result
        before = self.progress
        self._update_progress()
        return goal_share(self.progress) - goal_share(before)

    @property
    def is_terminated(self) -> bool:
        """Whether the task is complete, or an agent has stopped."""
        stopped = self.session.end is not None and not self.is_truncated
        return self.progress.success or stopped

    @property
    def is_truncated(self) -> bool:
        """Whether a limit has ended the session."""
        return self.session.end in (records.SessionEnd.STEP_LIMIT, records.SessionEnd.FAILURE_LIMIT)

    def close(self) -> None:
        """Free the world's resources."""
        self._sim.close()

    def symbolic_view(self, role: Role) -> Any:
        """Return an agent's symbolic view, made once for each pose."""
        kept, side = self._sim.renderer.of_ids, symbolic_view.VIEW_SIDE_PIXELS
        return kept(self._sim.snapshot(), role, side, symbolic_view.symbolic_view).copy()

    def observation(self, role: Role, *, symbolic: bool, size: int) -> dict[str, Any]:
        """Return what an agent hears and sees, and how its last action went."""
        last = self.last_results[role]
        spoken = "\n".join(each.text for each in self.heard[role])
        observation = {
            "heard": spaces.fit_text_space(spoken),
            "last": spaces.outcome_code(last),
            "message": "" if last is None or last.success else str(last.refusal_code),
        }
        if symbolic:
            return observation | {"view": self.symbolic_view(role)}
        renderer, snapshot = self._sim.renderer, self._sim.snapshot()
        frame, segments = renderer.frame_and_segments(snapshot, role, size)
        return observation | {"frame": frame, "mask": spaces.type_mask(segments)}

    def goal_info(self) -> dict[str, Any]:
        """Return how far the task is completed."""
        return {
            "success": self.progress.success,
            "goal_conditions": self.progress.goal_conditions_total,
            "goal_conditions_met": self.progress.goal_conditions_satisfied,
        }

    def render(self, mode: str | None, size: int) -> Any:
        """Return the Follower's frame ("rgb_array"), the session so far ("ansi"), or None."""
        if mode == "ansi":
            return "\n".join(self.transcript_lines)
        frame, now = self._sim.renderer.frame, self._sim.snapshot()
        return frame(now, Role.FOLLOWER, size) if mode == "rgb_array" else None

    def _update_progress(self) -> None:
        """Check how far the task is done, unless every object is as it was at the last check."""
        now, known = self._sim.snapshot(), self._checked
        objects = now.objects
        if known is None or len(objects) != len(known) or not all(map(is_, objects, known)):
            self._checked, self.progress = objects, self.session_start.task.check(now)

    def _record_event(self, event: session_types.SessionEvent) -> None:
        interaction = event.interaction
        if interaction.verb is Verb.TEXT:
            said = Utterance(interaction.role, interaction.text, interaction.time)
            hearer = Role.FOLLOWER if said.speaker is Role.COMMANDER else Role.COMMANDER
            self.heard[hearer].append(said)
            self.transcript_lines.append(f"{interaction.role}: {interaction.text}")
        elif event.progress is not None:
            self.last_progress_check = event.progress
        else:
            self.last_results[interaction.role] = event.result
            mark = "+" if event.result is not None and event.result.success else "-"
            self.transcript_lines.append(f"{interaction.role}: {interaction.verb} {mark}")


def goal_share(progress: Progress) -> float:
    """Return the share of goal conditions that are met; a task may count more than there are."""
    total = progress.goal_conditions_total
    return progress.goal_conditions_satisfied / total if total else 0.0
