"""Sessions to debug: one that is quick, and agents that fail, change and crash."""

import os
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from textwrap import dedent

from tatc.apps.debugger.branches import branch_of_new_session, branch_of_session
from tatc.apps.debugger.breakpoints import Breakpoints
from tatc.apps.debugger.debugger import Debugger
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Record, write_record
from tatc.session.timeline import FinishedSession, LiveSession, read_finished_session
from tests.session.text_world.sessions import opening

FOLLOWER = '''
    from tatc.home.actions import Action, Click, Verb

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


def start_debugger(
    setup: SessionSetup = SessionSetup(),
    *,
    policies: tuple[Path, ...] = (),
    breakpoints: Breakpoints | None = None,
) -> Debugger:
    first = branch_of_new_session(opening(), setup)
    return Debugger(first, setup, policies=policies, breakpoints=breakpoints)


def open_finished(session: FinishedSession) -> Debugger:
    return Debugger(branch_of_session(session), session.setup)


@cache
def _finished_record() -> Record:
    session = LiveSession(opening(), SessionSetup())
    session.run_to(10_000)
    return session.record()


def save_finished_session(path: Path) -> FinishedSession:
    """Save the record of a whole session and open it."""
    write_record(_finished_record(), path)
    return read_finished_session(path)


def write_follower(folder: Path, verb: str) -> None:
    """Write a module with a Follower of this habit."""
    action = f"Action(Verb.{verb})"
    write_later(folder / "mine.py", dedent(FOLLOWER.format(verb=verb, action=action)))


def write_later(path: Path, text: str) -> None:
    """Write a file at another time than that at which it was written before."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


def run_case(path: Path) -> None:
    """Run the two tests of a case in this process."""
    written = runpy.run_path(str(path))
    written["test_the_world_answers_as_it_did"]()
    written["test_the_agents_do_what_they_did"]()


def run_pytest(path: Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a test, or those of a folder, in its own folder or from another."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)],
        cwd=folder or path.parent,
        env={"PATH": "", "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
