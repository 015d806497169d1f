"""Sessions to debug: one that is quick, and agents that fail, change and crash."""

import os
from pathlib import Path
from textwrap import dedent

from tatc.debugger.breakpoints import Breakpoints
from tatc.debugger.control import Debugger
from tatc.opening import Opening
from tatc.records import write_record
from tatc.runner import Setup, open_session
from tatc.timeline import Live, Source, read_source

FOLLOWER = '''
    from tatc.actions import Action, Click, Verb

    class Mine:
        """Looks up, then {verb}, then asks, for ever."""

        def begin(self):
            self.count = 0

        def act(self, seen):
            self.count += 1
            if self.count % 4 == 1:
                return Action(Verb.LOOK_UP)
            if self.count % 4 == 2:
                return {action}
            return Action(Verb.TEXT, text="What should I do next?")
'''


def opening() -> Opening:
    return open_session(
        task="coffee", room="kitchen-01", game=None, params=(), seed=1, folders=()
    )


def live(
    setup: Setup = Setup(),  # noqa: B008 - a value that nothing changes
    *,
    policies: tuple[Path, ...] = (),
    breakpoints: Breakpoints | None = None,
) -> Debugger:
    return Debugger.live(opening(), setup, policies=policies, breakpoints=breakpoints)


def finished(path: Path) -> Source:
    """Save the record of a whole session and open it."""
    session = Live(opening(), Setup())
    session.run_to(10_000)
    write_record(session.record(), path)
    return read_source(path)


def write_follower(folder: Path, verb: str) -> None:
    """Write a module with a Follower of this habit; its time is never the same."""
    path = folder / "mine.py"
    before = path.stat().st_mtime_ns if path.exists() else 0
    action = f"Action(Verb.{verb})"
    path.write_text(dedent(FOLLOWER.format(verb=verb, action=action)))
    os.utime(path, ns=(before + 10**9, before + 10**9))
