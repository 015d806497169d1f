"""`tatc/teach_tatc`: sessions as a task of Inspect (https://inspect.aisi.org.uk), extra `inspect`.

Inspect imports this module, by the entry point `tatc` of its group `inspect_ai`.
"""

# inspect_ai is not among what the tests install, so what it exports is not known here.
# pyright: basic, reportMissingImports=false

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tatc.base import arguments, errors

errors.MissingExtra.check("inspect", "inspect_ai")

from anyio import to_thread
from inspect_ai import Task, model as models, task
from inspect_ai.dataset import Sample
from inspect_ai.event import AnchorEvent, BranchEvent
from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParams
from inspect_ai.util import span

from tatc.apps.serving.session_table import parse_roles, setup_for
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.home.actions import Role
from tatc.session import session_record, tool_session
from tatc.session.play import find_session_start, prepare
from tatc.session.start import SessionStart, load_split, start_from_room_name
from tatc.session.text_world import parse_grain, rules_for, server_words, text_agents
from tatc.tdl import shipped_library

_ANCHOR = "tatc-fork"  # what Inspect's log calls the place of the fork
_OUTCOME = "tatc"  # the key of the outcome in a sample's store
_SITE_FOLDERS = {"site-packages", "dist-packages"}


def _registered_name() -> str:
    """Return the name under which Inspect finds the task as `tatc/teach_tatc`.

    Inspect itself puts the package's name before the names in a package that is installed, but not
    for an editable install whose distribution is called otherwise than the package, as ours is.
    """
    return "teach_tatc" if _SITE_FOLDERS & set(Path(__file__).parts) else "tatc/teach_tatc"


@task(name=_registered_name())
def teach_tatc(
    role: str = "follower",
    tasks: str | int | Sequence[str | int] = TEACH_TASKS,
    rooms: str | Sequence[str] = (),
    split: str = "",
    seed: int = 1,
    count: int = 1,
    commander: str | None = None,
    follower: str | None = None,
    wording: str | None = None,
    grain: str = "go-to",
    max_calls: int = 300,
    context_turns: int = 30,
    fork_at: int | None = None,
    forks: int = 1,
    save: str | None = None,
) -> Task:
    """Return the task of playing an agent of TEACh's Two-Agent Task Completion.

    Args:
        role: whom the model plays: follower, commander or both; the model roles `follower` and
            `commander` name a model for each.
        tasks: names of tasks, TEACh's twelve by default.
        rooms: names of rooms; each task is done in the first one that can hold it by default.
        split: the sessions that a split lists, such as test_unseen, in place of tasks and rooms.
        seed: the first seed.
        count: how many seeds; each draws other starts.
        commander: the Commander, if the model does not play it.
        follower: the Follower, if the model does not play it.
        wording: how the rule Commander speaks; in bearings by default.
        grain: how much a Follower's call does, `go-to` or `primitives`.
        max_calls: a model's answers in a session, after which it ends.
        context_turns: how many of its last answers a model is shown, with what came of them.
        fork_at: after so many answers the session is forked; None for no forks.
        forks: how many forks are played to their end, besides the session itself.
        save: a folder for the records.
    """
    seed, count = arguments.check_seed(seed), arguments.check_number_from(1, None, count, "count")
    max_calls = arguments.check_number_from(1, None, max_calls, "max_calls")
    context_turns = arguments.check_number_from(1, None, context_turns, "context_turns")
    forks = arguments.check_number_from(1, None, forks, "forks")
    if fork_at is not None:
        fork_at = arguments.check_number_from(1, None, fork_at, "fork_at")
    commander, follower, wording, save = (
        None if each is None else str(each) for each in (commander, follower, wording, save)
    )
    played = parse_roles(str(role))
    setup = setup_for(played, commander, follower, wording)
    prepare(setup)
    seeds = range(seed, seed + count)
    starts = _starts_of_split(split) if split else _starts(_names(tasks), _names(rooms), seeds)
    walk = parse_grain(str(grain))

    def begin(name: str) -> tool_session.ToolSession:
        return tool_session.ToolSession(starts[name], setup, plays=played, grain=walk)

    return Task(
        dataset=[
            Sample(
                id=start.session_id,
                input=f"Play {start.session_id}.",
                target="success",
                metadata={"task": start.task.name, "place": start.place, "seed": start.seed},
            )
            for start in starts.values()
        ],
        solver=text_world_player(
            begin, max_calls, context_turns, save, 0 if fork_at is None else forks, fork_at or 0
        ),
        scorer=goal_conditions(),
    )


@solver
def text_world_player(
    begin: Callable[[str], tool_session.ToolSession],
    max_calls: int,
    context_turns: int,
    save: str | None,
    forks: int = 0,
    fork_at: int = 0,
) -> Solver:
    """Return what lets models play the sample's session to its end, and notes the outcome.

    After `fork_at` answers, so many `forks` go on from there as well; Inspect's log has each in a
    span of its own, with a branch event.  The score is the session's, not the forks'.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = await to_thread.run_sync(begin, str(state.sample_id))
        main, others = PlayedSession(session, context_turns), list[PlayedSession]()
        try:
            if forks:
                await main.play(min(fork_at, max_calls))
                saved = main.mark_fork()
                others = [main.copy_at(session.fork(saved)) for _ in range(forks)]
            await main.play(max_calls - main.answers)
            for fork in others:
                await main.play_fork(fork, max_calls - fork.answers)
        finally:  # a limit of Inspect's ends this too
            state.messages = main.messages
            state.completed = True
            outcome = _outcome(session)
            if others:
                outcome["forks"] = [_outcome(each.session) for each in others]
            state.store.set(_OUTCOME, outcome)
            for each in (main, *others):
                if save is not None:
                    session_record.save_record_in(each.session.record(), Path(save))
                each.session.close()
        return state

    return solve


@scorer(metrics={"success": [mean(), stderr()], "goal_conditions": [mean(), stderr()]})
def goal_conditions() -> Scorer:
    """Return the score: whether all goal conditions are met, and the share of those gained.

    The share leaves out what was met at the start: who stops at once gains nothing.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome = state.store.get(_OUTCOME)
        met, total, before = outcome["met"], outcome["total"], outcome["met_at_start"]
        gained = max(0, met - before) / (total - before) if total > before else 1.0
        return Score(
            value={"success": float(outcome["success"]), "goal_conditions": gained},
            explanation=f"{outcome['end']}: {met} of {total} goal conditions are met, "
            f"{before} of them at the start",
            metadata=outcome,
        )

    return score


def _starts(tasks: list[str], rooms: list[str], seeds: range) -> dict[str, SessionStart]:
    if not tasks:
        raise errors.BadInput("there is no session", fix="name a task")
    starts = (
        find_session_start(task=task, room=room, game=None, params=(), seed=seed, task_folders=())
        for task in tasks
        for room in rooms or [None]
        for seed in seeds
    )
    return {start.session_id: start for start in starts}


def _starts_of_split(name: str) -> dict[str, SessionStart]:
    library, listed = shipped_library(), load_split(name).sessions()
    starts = (start_from_room_name(room, library, task, (), seed) for room, task, seed in listed)
    return {start.session_id: start for start in starts}


def _names(given: object) -> list[str]:
    """Return names: a list, a text with commas, or what YAML makes of one, such as an int."""
    if isinstance(given, str):
        parts = given.split(",")
    else:
        parts = [*map(str, given)] if isinstance(given, Sequence) else [str(given)]
    return [part.strip() for part in parts if part.strip()]


def _outcome(session: tool_session.ToolSession) -> dict[str, Any]:
    result = session.result()
    total = result.progress.goal_conditions_total
    before = session.start.task.check(result.start).goal_conditions_satisfied
    return {
        "success": result.progress.success,
        "met": min(result.progress.goal_conditions_satisfied, total),
        "total": total,
        "met_at_start": min(before, total),
        "end": result.end.value,
        "interactions": len(result.interactions),
    }


class PlayedSession:
    """A session that models play, and what each of them was told; `answers` counts theirs."""

    def __init__(self, session: tool_session.ToolSession, context_turns: int) -> None:
        """Begin at the session's start."""
        self.session, self._context_turns = session, context_turns
        self._players = {role: _Player(session, role, context_turns) for role in session.plays}
        self.answers = 0
        self._last: Role | None = None
        self._forks = 0

    @property
    def messages(self) -> list[models.ChatMessage]:
        """What was said to and by the models, one after the other."""
        return [m for role in sorted(self._players) for m in self._players[role].messages]

    async def play(self, max_calls: int) -> None:
        """Let the models answer in turn until the session ends or one of them calls no tool."""
        for _ in range(max_calls):
            if self.session.end is not None or any(p.is_silent for p in self._players.values()):
                return
            role = self.session.turn
            player = self._players[role]
            if role is not self._last:
                player.observe()
            await player.answer()
            self._last, self.answers = role, self.answers + 1

    def mark_fork(self) -> tool_session.SavedState:
        """Return where the session stands, for `fork`; Inspect's log has an anchor here."""
        transcript()._event(AnchorEvent(anchor_id=_ANCHOR, source="tatc"))
        return self.session.save()

    async def play_fork(self, fork: "PlayedSession", max_calls: int) -> None:
        """Play a fork in a span of its own, which begins with a branch event."""
        self._forks += 1
        async with span(name=f"fork {self._forks}", type="branch"):
            transcript()._event(BranchEvent(from_anchor=_ANCHOR))
            await fork.play(max_calls)

    def copy_at(self, session: tool_session.ToolSession) -> "PlayedSession":
        """Return a trajectory of another session in which the models were told the same so far."""
        other = PlayedSession(session, self._context_turns)
        other._last, other.answers = self._last, self.answers
        for role, player in self._players.items():
            other._players[role].messages = [*player.messages]
        return other


class _Player:
    def __init__(self, session: tool_session.ToolSession, role: Role, context_turns: int) -> None:
        self._session, self._role, self._context_turns = session, role, context_turns
        self._tools = [self._tool(spec) for spec in session.tools(role)]
        self._silent = 0
        self.messages: list[models.ChatMessage] = [
            models.ChatMessageSystem(content=rules_for(role))
        ]

    @property
    def is_silent(self) -> bool:
        return self._silent >= text_agents.MAX_ANSWERS_WITHOUT_CALL

    def observe(self) -> None:
        self.messages.append(models.ChatMessageUser(content=self._session.text(self._role)))

    async def answer(self) -> None:
        model = models.get_model(role=self._role.name.lower())
        shown = last_turns(self.messages, self._context_turns)
        output = await model.generate(shown, tools=self._tools)
        self.messages.append(output.message)
        if not output.message.tool_calls:
            self._silent += 1
            self.messages.append(models.ChatMessageUser(content=server_words("call_a_tool")))
            return
        self._silent = 0
        self.messages.extend((await models.execute_tools(self.messages, self._tools)).messages)

    def _tool(self, spec: dict[str, Any]) -> ToolDef:
        name = spec["name"]

        async def call(**kwargs: Any) -> str:
            return await to_thread.run_sync(self._session.call, self._role, name, kwargs)

        parameters = ToolParams.model_validate(spec["parameters"])
        for optional in parameters.properties.keys() - parameters.required:
            # Inspect would refuse a null for what may be left out, before tatc reads it.
            parameters.properties[optional].type = [parameters.properties[optional].type, "null"]
        return ToolDef(call, name, spec["description"], parameters)


def last_turns(messages: list[models.ChatMessage], count: int) -> list[models.ChatMessage]:
    """Return the first two messages, and those from the `count`-th last answer of the model on."""
    answers = [i for i, m in enumerate(messages) if isinstance(m, models.ChatMessageAssistant)]
    if len(answers) <= count:
        return messages
    return [*messages[:2], *messages[answers[-count] :]]
