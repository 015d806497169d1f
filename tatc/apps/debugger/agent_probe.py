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
from tatc.commander import knowledge, policies
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import SessionEnd
from tatc.session.timeline import LiveSession
from tatc.tdl import ProblemKey


@dataclass(slots=True)
class AgentWork:
    """How agents acted from a step: the keys that policies were asked for, each with what came."""

    step: int
    calls: list[tuple[ProblemKey, tuple[str, ...]]] = field(default_factory=list[Any])
    printed: str = ""


class AgentProbe(TextIOBase):
    """Plays one branch again; it is a text file too, to which the agents print."""

    def __init__(self, branch: Branch, setup: SessionSetup) -> None:
        """Begin at the start of a branch; a BadInput where its agents cannot act again."""
        if branch.played_by_people:
            raise BadInput("people played this game", fix="fork first, and agents go on from here")
        if setup.has_model_agent:
            raise BadInput("a language model plays, and is not asked again", fix="debug others")
        self.branch, live = branch, branch.live
        start = branch.timeline.start
        self._live = LiveSession(start, setup) if live is None else live.restarted(branch.last)
        self._work: list[AgentWork] = []
        self._known: knowledge.Knowledge | None = None

    def work_before(self, at: int) -> AgentWork | None:
        """Return the last work that led up to a step (None for none); of a crash, at the end."""
        at += at == self.branch.last and self.branch.end is SessionEnd.CRASHED
        self._play_to(at)
        return next((each for each in reversed(self._work) if each.step < at), None)

    def known_at(self, at: int) -> knowledge.Knowledge:
        """Return what the agent that asks policies knows at a step to which nothing has played."""
        self._play_to(at)
        known = self._known or knowledge.Knowledge(self._live.oracle)
        known.refresh()
        return known

    def write(self, text: str, /) -> int:
        """Note what an agent prints."""
        self._now().printed += text
        return len(text)

    def _note_call(self, key: ProblemKey, known: knowledge.Knowledge, plans: object) -> None:
        self._known = known
        several = cast("tuple[object, ...]", plans) if isinstance(plans, tuple | list) else (plans,)
        self._now().calls.append((key, tuple(map(repr, several))))

    def _now(self) -> AgentWork:
        step = len(self._live.moments) - 1
        if not self._work or self._work[-1].step != step:
            self._work.append(AgentWork(step))
        return self._work[-1]

    def _play_to(self, at: int) -> None:
        by_hand = self.branch.live.manual_actions if self.branch.live is not None else ()
        left = [each for each in by_hand if each.at >= len(self._live.moments) - 1]
        hook, sys.breakpointhook = sys.breakpointhook, _go_on
        policies.watchers.append(self._note_call)
        try:
            with redirect_stdout(self):
                self._live.run_to(at, left)
        finally:
            policies.watchers.pop()
            sys.breakpointhook = hook
        before, now = self.branch.moments, self._live.moments
        if (other := first_difference(before, now, min(at, self.branch.last))) is not None:
            why = f"the agents now act otherwise from step {other} on"
            raise BadInput(why, fix="fork there, or x replays the session with them")


def _go_on(*_: object, **__: object) -> None:
    """Stand in for `breakpoint()`."""
