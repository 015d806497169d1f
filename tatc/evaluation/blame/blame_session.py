"""Blame for one session: the point of no return, the culprit, and what an able agent does there."""

import shlex
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from tatc.base import errors, notebook
from tatc.commander import Decision
from tatc.evaluation.blame import counterfactuals, culprit
from tatc.home.actions import PRIMITIVE_VERBS, Action, Role, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.home.state import ShortNames
from tatc.language.skill_wording import describe_skills
from tatc.session import timeline, transcript, worlds
from tatc.session.records import Interaction, Record
from tatc.tdl import TaskLibrary

ABLE_PAIR, DEFAULT_BUDGET = ("rule", "rule"), 100
SLOW_FACTOR, SLOW_STEPS = 2, 10
"""A session took too long with more than so many times the able pair's steps, and so many more."""
_SLACK_SHARE, _SLACK_STEPS = 0.1, 2  # by which the able pair's steps from two moments may differ


class Verdict(StrEnum):
    """What can be said of a session."""

    LOST = "lost"
    SLOW = "took too long"
    START = "the able pair fails from the start"
    WELL = "nothing to blame"
    UNKNOWN = "the budget is spent"


@dataclass(frozen=True, slots=True)
class FourWayTable:
    """Goal conditions met, and success, with the session's own and able agents.

    An agent of the session that did what an able one would have done is an able one; else it
    repeats what it did, from the culprit on: a record holds words and acts, not the agent.
    """

    own_own: tuple[int, bool]
    own_able: tuple[int, bool]  # the session's own Commander with an able Follower
    able_own: tuple[int, bool]
    able_able: tuple[int, bool]

    def share_of(self, role: Role) -> float:
        """Return an agent's share of the goal conditions lost: its Shapley value over their sum.

        An agent's value is by how many more are met with an able one in its place, the mean of the
        two orders in which both are replaced.  Without any lost, each has a half.
        """
        none, both = self.own_own[0], self.able_able[0]
        commander, follower = self.able_own[0], self.own_able[0]
        gains = {
            Role.COMMANDER: max(commander - none + both - follower, 0),
            Role.FOLLOWER: max(follower - none + both - commander, 0),
        }
        return gains[role] / sum(gains.values()) if any(gains.values()) else 0.5


def four_way_table(runs: counterfactuals.Counterfactuals, step: int, role: Role) -> FourWayTable:
    """Return the table from a culprit's step on."""
    is_follower = role is Role.FOLLOWER
    own_able = runs.go_on_with_memory(step) if is_follower else None
    if own_able is None:
        own_able = runs.go_on(step, commander=_Repeats(runs.log[step:], Role.COMMANDER))
    able_able = able_own = runs.go_on(step)
    if is_follower or not _obeys(runs, step):
        able_own = runs.go_on(step, follower=_Repeats(runs.log[step:], Role.FOLLOWER))
    own = runs.progress.goal_conditions_satisfied, runs.progress.success
    others = (own_able, able_own, able_able)
    return FourWayTable(
        own, *((each.progress.goal_conditions_satisfied, each.success) for each in others)
    )


def _obeys(runs: counterfactuals.Counterfactuals, step: int) -> bool:
    """Return whether the Follower did as it was told, by the utterance at this step or the last."""
    is_said = step < runs.last and runs.log[step].verb is Verb.TEXT
    told = step if is_said else runs.told_before(step)
    turn = range(runs.last if told is None else told + 1, runs.last)
    ends = (i for i in turn if runs.log[i].role is Role.COMMANDER)
    return told is None or runs.follower_differs(told, next(ends, runs.last - 1)) is None


class _Repeats:
    """An agent of either role that does what a log says, and then stops."""

    traits = AgentTraits(perceives=True, draws=False)
    decisions: tuple[Decision, ...] = ()

    def __init__(self, log: tuple[Interaction, ...], role: Role) -> None:
        self._left = iter([each for each in log if each.role is role])

    def begin(self, *home: object) -> None:
        """Begin where the log does."""

    def act(self, seen: object) -> Action:
        """Return the next action of the log."""
        done = next(self._left, None)
        return Action(Verb.STOP) if done is None else counterfactuals.action_of(done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Who lost a session, where, and how that is known.

    `moment` is the last from which the able pair solves the task (or, of a session that took too
    long, solves it about as soon as from the start), None where none is known.  What follows it is
    None or "" where there is no culprit.
    """

    session: str
    task: str
    verdict: Verdict
    end: str
    steps: int  # the Follower's primitives
    able_steps: int  # those of the able pair from the start
    moment: int | None = None
    step: int | None = None  # the culprit's interaction; that of the end follows the last one
    agent: str = ""
    kind: str = ""
    did: str = ""
    instead: str = ""  # what an able agent does there
    table: FourWayTable | None = None
    commander_share: float | None = None
    """By Shapley value over goal conditions; the rest is the Follower's."""
    command: str = ""
    """Opens the session there in the debugger, and the able pair's branch beside it."""
    continuations: int = 0

    def __repr__(self) -> str:
        """Return one line: the session, and whose step lost it, or what else can be said."""
        whose = "" if self.step is None else f" by the {self.agent} at {self.step}: {self.kind}"
        return f"<Blame {self.session}: {self.verdict}{whose}>"

    def _repr_html_(self) -> str:
        shown = [each for each in self.to_json().items() if each[0] not in ("session", "table")]
        return notebook.html_table(repr(self)[1:-1], shown)

    def to_json(self) -> dict[str, Any]:
        """Return the blame as JSON."""
        return asdict(self)

    def to_dataframe(self) -> Any:
        """Return the blame as one row of a table of pandas, which has to be installed."""
        return notebook.dataframe([self.to_json()])


def blame_session(
    session: Path | str | Record,
    library: TaskLibrary | None = None,
    *,
    able: tuple[str, ...] = ABLE_PAIR,
    budget: int = DEFAULT_BUDGET,
    every_step: bool = False,
    floor_map: str = worlds.SHIPPED_MAP,
) -> Blame:
    """Return the blame for a session that agents played; see `tatc.blame`."""
    where = "" if isinstance(session, Record) else session
    seen = timeline.Timeline.of(session, library, floor_map=floor_map)
    if seen.end is None:
        fix = "name a record that `tatc run` or `tatc eval` saved"
        raise errors.BadInput("people played this game, and no agents", where=str(where), fix=fix)
    runs = counterfactuals.Counterfactuals(seen, able, budget)
    known = Blame(
        session=seen.start.session_id,
        task=seen.task.name,
        verdict=Verdict.WELL,
        end=str(seen.end),
        steps=_follower_steps(runs.log),
        able_steps=_follower_steps(runs.go_on(0).interactions),
    )
    verdict, found = _last_good(runs, known, every_step)
    known = replace(known, verdict=verdict, moment=found.moment)
    if found.moment is not None and verdict is not Verdict.UNKNOWN:
        try:
            step, role = culprit.find_culprit(runs, found.moment, every_step=every_step)
            known = _with_culprit(known, runs, step, role, str(where))
        except counterfactuals.BudgetSpent:
            known = replace(known, verdict=Verdict.UNKNOWN)
    return replace(known, continuations=runs.count)


def _follower_steps(log: tuple[Interaction, ...]) -> int:
    return sum(each.role is Role.FOLLOWER and each.verb in PRIMITIVE_VERBS for each in log)


def _last_good(
    runs: counterfactuals.Counterfactuals, known: Blame, every_step: bool
) -> tuple[Verdict, culprit.LastGoodMoment]:
    best, is_able = known.able_steps, runs.go_on(0).success
    is_slow = is_able and known.steps > SLOW_FACTOR * best + SLOW_STEPS
    if runs.progress.success and not is_slow:
        return Verdict.WELL, culprit.LastGoodMoment(None)
    if not is_able:
        return Verdict.START, culprit.LastGoodMoment(None)

    def total(moment: int) -> int:
        return _follower_steps(runs.go_on(moment).interactions)

    slack = max(_SLACK_STEPS, round(best * _SLACK_SHARE))

    def is_good(moment: int) -> bool:
        is_soon = not runs.progress.success or total(moment) <= best + slack
        return runs.go_on(moment).success and is_soon

    found = culprit.last_good_moment(is_good, runs.last, every_step=every_step)
    if not found.is_final:
        return Verdict.UNKNOWN, found
    if not runs.progress.success or found.moment is None:
        return Verdict.LOST, found
    try:
        earlier = range(found.moment, max(0, found.moment - 2 * slack), -1)
        first = next((m for m in earlier if total(m) <= best), found.moment)
    except counterfactuals.BudgetSpent:
        return Verdict.UNKNOWN, found
    return Verdict.SLOW, culprit.LastGoodMoment(first)


def _with_culprit(
    known: Blame, runs: counterfactuals.Counterfactuals, step: int, role: Role, where: str
) -> Blame:
    table = None if runs.progress.success else four_way_table(runs, step, role)
    words = ["tatc", "debug", "--record", where, "--at", str(step), "--fork"]
    words += ["--commander", runs.able[0], "--follower", runs.able[1]]
    is_end = step == runs.last
    return replace(
        known,
        step=step,
        agent=role.name.lower(),
        kind=culprit.kind_of(runs, step, role).value,
        did=known.end.replace("_", " ") if is_end else _in_words(runs, runs.log[step]),
        instead=_instead(runs, step, role),
        table=table,
        commander_share=table and table.share_of(Role.COMMANDER),
        command=shlex.join(words) if where else "",
    )


def _in_words(runs: counterfactuals.Counterfactuals, done: Interaction) -> str:
    names = ShortNames(runs.timeline.moments[-1].snapshot)
    return " ".join(" ".join(transcript.format_interactions([(done, ())], names)).split())


def _instead(runs: counterfactuals.Counterfactuals, step: int, role: Role) -> str:
    """Return in words what an able agent does next from there, and to what end."""
    result = runs.go_on(step)
    verbs = (Verb.TEXT,) if role is Role.COMMANDER else PRIMITIVE_VERBS
    acts = (each for each in result.interactions[step:] if each.role is role)
    done = next((each for each in acts if each.verb in verbs), None)
    decision = next((each for each in result.decisions if each.step >= step), None)
    if done is None or decision is None:
        return "Stop"
    skill = ShortNames(runs.timeline.moments[-1].snapshot).shorten(describe_skills(decision.skill))
    return _in_words(runs, done) + (f" (to {skill})" if skill else "")
