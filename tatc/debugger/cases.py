"""A session, up to the step that is looked at, as a test that pytest runs.

The test stands in one Python file, with the record of the session beside it.  It does
the session again in the world and, where the agents played it whole, lets the agents
play it again too.
"""

from pathlib import Path

from tatc.atomic import check_target, write_whole
from tatc.debugger.branches import Branch, fork
from tatc.errors import BadInput
from tatc.records import record_bytes
from tatc.records.files import gzipped
from tatc.runner import Setup
from tatc.timeline import Deed, Live

_HEAD = '''"""{title}: written by `tatc debug`."""

from pathlib import Path

{imports}

RECORD = Path(__file__).with_name("{record}")
'''
_WORLD = """

def test_the_world_answers_as_it_did():
    timeline = Timeline.of(RECORD)
    assert [moment.departs for moment in timeline.departures] == []
    assert timeline.moments[-1].progress.goal_conditions_satisfied == {met}
"""
_AGENTS = """

def test_the_agents_do_what_they_did():
    saved = Timeline.of(RECORD)
    live = Live(saved.opening, saved.setup)
    live.run_to({count}, DEEDS)
    for done, was in zip(live.moments, saved.moments, strict=True):
        assert done.interaction == was.interaction, f"step {{was.index}}"
"""


def write_case(
    branch: Branch, at: int, path: Path, setup: Setup, *, force: bool = False
) -> Path:
    """Write a branch up to a step as a test; return the record's file beside it.

    Raises:
        BadInput: the name is not that of a test.
        OutputError: a file exists and `force` is not given, or cannot be written.

    """
    if not (path.name.startswith("test_") and path.suffix == ".py"):
        fix = f"for example test_{path.stem or 'case'}.py"
        raise BadInput("pytest finds test_*.py alone", where=str(path), fix=fix)
    record = path.with_suffix(".game.json.gz")
    for each in (path, record):
        check_target(each, force=force)
    made = fork(branch, at, "case", setup)
    live = made.branch.live
    assert live is not None
    text = _text(live, record.name, whole=made.remembers and not live.taken_up)
    write_whole(gzipped(record_bytes(live.record())), record, force=force)
    write_whole(text.encode(), path, force=force)
    return record


def _text(live: Live, record: str, *, whole: bool) -> str:
    """Return the source of the test."""
    opening = live.opening
    count = len(live.moments) - 1
    title = f"{opening.task.name} in {opening.place}, {count} steps"
    names = "Live, Timeline" if whole else "Timeline"
    imports = [f"from tatc.timeline import {names}"]
    if whole and live.deeds:
        imports = ["from tatc.timeline import Deed, Live, Timeline"]
        clicks = ", Click" if any(deed.action.click for deed in live.deeds) else ""
        actions = f"from tatc.actions import Action{clicks}, Role, Verb"
        imports.insert(0, actions)
    met = live.moments[-1].progress.goal_conditions_satisfied
    text = _HEAD.format(title=title, imports="\n".join(imports), record=record)
    if whole:
        deeds = "".join(f"    {_deed(deed)},\n" for deed in live.deeds)
        text += f"DEEDS = (\n{deeds})\n" if deeds else "DEEDS = ()\n"
    text += _WORLD.format(met=met)
    return text + _AGENTS.format(count=count) if whole else text


def _deed(deed: Deed) -> str:
    """Return the expression that makes a deed."""
    action = deed.action
    parts = [f"Verb.{action.verb.name}"]
    if action.click is not None:
        parts.append(f"click=Click({action.click.x!r}, {action.click.y!r})")
    if action.text is not None:
        parts.append(f"text={action.text!r}")
    return f"Deed({deed.at}, Role.{deed.role.name}, Action({', '.join(parts)}))"
