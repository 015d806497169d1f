"""What policies returned and agents printed behind a step, found by letting the agents act again.

A record keeps decisions alone, and a screen of panes has no place for prints.  So the agents play
the branch again, as they do for a fork, and each call of a policy and each print is noted.
"""

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import TextIOBase
from typing import Any, cast

from tatc.apps.debugger.branches import Branch, first_difference
from tatc.base.errors import BadInput
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan, describe_plan
from tatc.commander.policies import policies_watched, policy_of
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd
from tatc.session.timeline import LiveSession, Moment
from tatc.tdl import ProblemKey


@dataclass(slots=True)
class AgentWork:
    """What the agents did when they acted from a step.

    `calls` has each problem key that a policy was asked for with what it returned, as text.
    """

    step: int
    calls: list[tuple[ProblemKey, tuple[str, ...]]] = field(default_factory=list[Any])
    printed: str = ""


class AgentProbe(TextIOBase):
    """Plays one branch again; it is a text file too, to which the agents print."""

    def __init__(self, branch: Branch, setup: SessionSetup) -> None:
        """Probe this branch; nothing is played yet."""
        self.branch, self._setup = branch, setup
        self._live: LiveSession | None = None
        self._work: list[AgentWork] = []
        self._known: Knowledge | None = None

    def work_before(self, at: int) -> AgentWork | None:
        """Return the last work that led up to a step (None for none); of a crash, at the end."""
        at += at == self.branch.last and self.branch.end is SessionEnd.CRASHED
        self._play_to(at)
        return next((each for each in reversed(self._work) if each.step < at), None)

    def names_at(self, moment: Moment) -> dict[str, Any]:
        """Return what a Python prompt at a step knows, by name."""
        if self.branch.played_by_people:
            at, timeline = moment.index, self.branch.timeline
            self._live = LiveSession.continue_from(timeline, at, self._setup)
        else:
            self._play_to(moment.index)
        assert self._live is not None
        known = self._known or Knowledge(self._live.oracle)
        known.refresh()
        keys, made = moment.progress.problem_keys(), moment.decision
        about = None if made is None or made.problem_key is None else made.problem_key
        here = [key for key in keys if about and (key.object_id, key.property_name) == about[::2]]
        key = next(iter((*here, *keys)), None)
        policy = None if key is None else policy_of(key.property_name)
        names = {"known": known, "key": key, "keys": keys, "policy": policy}
        return names | {"moment": moment, "snapshot": moment.snapshot}

    def write(self, text: str, /) -> int:
        """Note what an agent prints."""
        self._now().printed += text
        return len(text)

    def _now(self) -> AgentWork:
        assert self._live is not None
        step = len(self._live.moments) - 1
        if not self._work or self._work[-1].step != step:
            self._work.append(AgentWork(step))
        return self._work[-1]

    def _note_call(self, key: ProblemKey, known: Knowledge, plans: object) -> None:
        self._known, several = known, isinstance(plans, tuple | list)
        returned = cast("tuple[object, ...]", plans) if several else (plans,)
        self._now().calls.append((key, tuple(map(_describe, returned))))

    def _play_to(self, at: int) -> None:
        if self.branch.played_by_people:
            raise BadInput("people played this game", fix="fork first, and agents go on from here")
        if self._setup.has_model_agent:
            why = "a language model plays, and is not asked again"
            raise BadInput(why, fix="name another --commander and --follower")
        before = self.branch.live
        if self._live is None:
            start = self.branch.timeline.start
            self._live = LiveSession(start, self._setup) if before is None else before.restarted(at)
        live, done = self._live, len(self._live.moments) - 1
        by_hand = [each for each in before.manual_actions if each.at >= done] if before else []
        hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: None
        try:
            with policies_watched(self._note_call), redirect_stdout(self):
                live.run_to(at, by_hand)
        finally:
            sys.breakpointhook = hook
        until = min(at, self.branch.last)
        if (other := first_difference(self.branch.moments, live.moments, until)) is not None:
            why = f"the agents now act otherwise from step {other} on"
            raise BadInput(why, fix="fork there, or x replays the session with them")


def _describe(plan: object) -> str:
    return describe_plan(cast(SkillPlan, plan)) if isinstance(plan, tuple) else repr(plan)
