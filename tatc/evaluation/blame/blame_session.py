"""Blame for one session: the point of no return, the culprit, and what an able agent had done."""

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from tatc.base import arguments, errors
from tatc.evaluation.blame.counterfactuals import (
    ABLE_PAIR,
    BudgetSpent,
    Counterfactuals,
    follower_steps,
)
from tatc.evaluation.blame.culprit import Culprit, find_culprit
from tatc.evaluation.blame.four_way import FourWayTable, four_way_table
from tatc.evaluation.blame.point_of_no_return import LastGoodMoment, last_good_moment
from tatc.home.actions import Role
from tatc.home.state import ShortNames
from tatc.language.skill_wording import describe_skills
from tatc.session.records import Record
from tatc.session.timeline import FinishedSession, Timeline, read_finished_session
from tatc.session.timeline.timeline import finished_session_of
from tatc.session.transcript import format_interactions
from tatc.tdl import TaskLibrary, shipped_library

DEFAULT_BUDGET = 100
"""The continuations that are run for a session, at most."""
SLOW_FACTOR, SLOW_STEPS = 2, 10
"""A session took too long with more than so many times the able pair's steps, and so many more."""
_SLACK_SHARE, _SLACK_STEPS = 0.1, 2  # by which the able pair's steps from two moments may differ


class Verdict(StrEnum):
    """What can be said of a session."""

    LOST = "lost"
    SLOW = "took too long"
    START = "the able pair fails from the start"
    WELL = "nothing to blame"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """Who lost a session, where, and how that is known.

    `moment` is the last from which the able pair solves the task (or, of a session that took too
    long, solves it about as soon as from the start), None where none is known.  `is_exact` is False
    where the budget ended the search.  `culprit` and what follows are None or "" without one.
    """

    session: str
    task: str
    verdict: Verdict
    end: str
    steps: int
    able_steps: int
    moment: int | None = None
    is_exact: bool = True
    culprit: Culprit | None = None
    did: str = ""
    """What the culprit did, in words."""
    instead: str = ""
    """What an able agent does there."""
    table: FourWayTable | None = None
    continuations: int = 0
    command: str = ""
    """Opens the session at the culprit's step in the debugger, and the able pair's branch."""

    def share_of(self, role: Role) -> float | None:
        """Return an agent's share of the loss, None without a table."""
        return None if self.table is None else self.table.share_of(role)

    def to_json(self) -> dict[str, Any]:
        """Return the blame as JSON."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        culprit, table = self.culprit, self.table
        found["culprit"] = culprit and {
            "step": culprit.step, "agent": culprit.role.name.lower(), "kind": culprit.kind
        }  # fmt: skip
        found["table"] = table and asdict(table)
        found["shares"] = table and {role.name.lower(): table.share_of(role) for role in Role}
        return found


def blame_session(
    session: Path | str | Record,
    library: TaskLibrary | None = None,
    *,
    able: tuple[str, str] = ABLE_PAIR,
    budget: int = DEFAULT_BUDGET,
    every_step: bool = False,
    floor_map: str | None = None,
) -> Blame:
    """Return the blame for a session that agents played; see `tatc.blame`."""
    budget = arguments.check_number_from(1, None, budget, "budget")
    library, chosen = library or shipped_library(), {"floor_map": floor_map} if floor_map else {}
    if isinstance(session, Record):
        task, where = library.compile(session.task_name, session.task_params), ""
        finished = finished_session_of(session, task, **chosen)
    else:
        finished, where = read_finished_session(session, library, **chosen), str(session)
    if finished.played_by_people:
        fix = "name a record that `tatc run` or `tatc eval` saved"
        raise errors.BadInput("people played this game, and no agents", where=where, fix=fix)
    return _Inquest(finished, Counterfactuals(Timeline.of(finished), able, budget), where).blame(
        every_step=every_step
    )


@dataclass(frozen=True, slots=True)
class _Inquest:
    finished: FinishedSession
    runs: Counterfactuals
    where: str

    def blame(self, *, every_step: bool) -> Blame:
        runs = self.runs
        first, steps = runs.go_on(0), follower_steps(runs.log)
        best = follower_steps(first.interactions)
        is_won = runs.timeline.moments[-1].progress.success
        is_slow = is_won and first.success and steps > SLOW_FACTOR * best + SLOW_STEPS
        found = LastGoodMoment(None)
        if not first.success and not is_won:
            verdict = Verdict.START
        elif is_slow:
            verdict, found = Verdict.SLOW, self._first_needless(best, every_step)
        elif is_won:
            verdict = Verdict.WELL
        else:
            verdict = Verdict.LOST
            found = self._last_good(lambda moment: runs.go_on(moment).success, every_step)
        known = self._culprit_fields(found.moment, every_step) if found.is_exact else {}
        return Blame(
            session=self.finished.start.session_id,
            task=self.finished.start.task.name,
            verdict=verdict,
            end=str(self.finished.end),
            steps=steps,
            able_steps=best,
            moment=found.moment,
            is_exact=found.is_exact and bool(known) is (verdict in (Verdict.LOST, Verdict.SLOW)),
            continuations=runs.count,
            **known,
        )

    def _last_good(self, is_good: Callable[[int], bool], every_step: bool) -> LastGoodMoment:
        return last_good_moment(is_good, self.runs.last, every_step=every_step)

    def _first_needless(self, best: int, every_step: bool) -> LastGoodMoment:
        """Return the moment before the first step from which the able pair, too, takes longer."""

        def total(moment: int) -> int:
            return follower_steps(self.runs.go_on(moment).interactions)

        slack = max(_SLACK_STEPS, round(best * _SLACK_SHARE))
        found = self._last_good(lambda moment: total(moment) <= best + slack, every_step)
        if not found.is_exact or found.moment is None:
            return found
        try:
            earlier = range(found.moment, max(0, found.moment - 2 * slack), -1)
            moment = next((m for m in earlier if total(m) <= best), found.moment)
        except BudgetSpent:
            return LastGoodMoment(found.moment, is_exact=False)
        return LastGoodMoment(moment)

    def _culprit_fields(self, moment: int | None, every_step: bool) -> dict[str, Any]:
        """Return what a blame says of the culprit, {} where there is none or the budget is spent."""
        if moment is None:
            return {}
        runs = self.runs
        try:
            culprit = find_culprit(runs, moment, every_step=every_step)
            is_lost = not runs.timeline.moments[-1].progress.success
            table = four_way_table(runs, culprit) if is_lost else None
            instead = self._instead(culprit)
        except BudgetSpent:
            return {}
        words = ["tatc", "debug", "--record", self.where, "--at", str(culprit.step), "--fork"]
        words += ["--commander", runs.able[0], "--follower", runs.able[1]]
        did = self._in_words(culprit.step)
        command = shlex.join(words) if self.where else ""
        return {
            "culprit": culprit,
            "did": did,
            "instead": instead,
            "table": table,
            "command": command,
        }

    def _in_words(self, step: int) -> str:
        if step == self.runs.last:
            return f"the session ended here: {self.finished.end}".replace("_", " ")
        return self._line(self.runs.log[step])

    def _line(self, done: Any) -> str:
        names = ShortNames(self.runs.timeline.moments[-1].snapshot)
        return " ".join(" ".join(format_interactions([(done, ())], names)).split())

    def _instead(self, culprit: Culprit) -> str:
        """Return in words what an able agent does in the culprit's place."""
        step = culprit.step
        if culprit.role is Role.FOLLOWER:
            done = self.runs.follower_instead(step)
            return "it stops" if done is None else self._line(done)
        decisions = (each for each in self.runs.go_on(step).decisions if each.step >= step)
        decision = next(decisions, None)
        if decision is None:
            return "it says nothing"
        names = ShortNames(self.runs.timeline.moments[-1].snapshot)
        skill = names.shorten(describe_skills(decision.skill))
        return f'Commander "{decision.utterance}"' + (f" to {skill}" if skill else "")
