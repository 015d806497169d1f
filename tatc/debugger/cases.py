"""A session, up to the step that is looked at, as a test that pytest runs.

The test stands in one Python file, with the record of the session beside it.  It does
the session again in the world and, where the agents played it whole, lets the agents
play it again too.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tatc.atomic import check_target, write_whole
from tatc.debugger.branches import fork
from tatc.debugger.control import Debugger
from tatc.errors import BadInput
from tatc.records import record_bytes
from tatc.records.files import gzipped
from tatc.runner import BOXES
from tatc.timeline import Deed, Live

_HEAD = '''"""{title}: written by `tatc debug`."""

from pathlib import Path

{imports}

RECORD = Path(__file__).with_name({record!r})
{constants}'''
_WORLD = """

def test_the_world_answers_as_it_did():
    timeline = Timeline.of(RECORD{floor_map})
    assert [moment.departs for moment in timeline.departures] == []
    assert timeline.moments[-1].progress.goal_conditions_satisfied == {met}
"""
_AGENTS = """

def test_the_agents_do_what_they_did():
    saved = Timeline.of(RECORD{floor_map})
    live = Live(saved.opening, saved.setup)
    with own_policies(POLICIES):
        live.run_to({count}, DEEDS)
    for done, was in zip(live.moments, saved.moments, strict=True):
        assert done.interaction == was.interaction, f"step {{was.index}}"
"""


def write_case(debugger: Debugger, path: Path, *, force: bool = False) -> Path:
    """Write the branch that is looked at, up to its step, as a test.

    Returns:
        The file beside it that holds the record.

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
    made = fork(debugger.branch, debugger.at, "case", debugger.setup)
    live = made.branch.live
    assert live is not None
    whole = made.remembers and not live.taken_up
    text = _text(live, record.name, debugger.policies if whole else None)
    write_whole(gzipped(record_bytes(live.record())), record, force=force)
    write_whole(text.encode(), path, force=force)
    return record


def _text(live: Live, record: str, policies: Sequence[Path] | None) -> str:
    """Return the source of the test; without policies, of the world's part alone."""
    opening, count = live.opening, len(live.moments) - 1
    boxes = live.setup.floor_map == BOXES
    parts = {
        "title": f"{opening.task.name} in {opening.place}, {count} steps",
        "record": record,
        "count": count,
        "met": live.moments[-1].progress.goal_conditions_satisfied,
        "floor_map": "" if boxes else f", floor_map={live.setup.floor_map!r}",
    }
    if policies is None:
        imports = "from tatc.timeline import Timeline"
        return (_HEAD + _WORLD).format(imports=imports, constants="", **parts)
    imports = "\n".join(_imports(live.deeds))
    constants = _listing("POLICIES", [f"Path({str(each)!r})" for each in policies])
    constants += _listing("DEEDS", [_deed(deed) for deed in live.deeds])
    text = _HEAD + _WORLD + _AGENTS
    return text.format(imports=imports, constants=constants, **parts)


def _imports(deeds: Sequence[Deed]) -> Iterator[str]:
    if deeds:
        clicks = "Click, " if any(deed.action.click for deed in deeds) else ""
        yield f"from tatc.actions import Action, {clicks}Role, Verb"
    yield "from tatc.own_policies import own_policies"
    yield f"from tatc.timeline import {'Deed, ' if deeds else ''}Live, Timeline"


def _listing(name: str, values: Sequence[str]) -> str:
    lines = "".join(f"    {value},\n" for value in values)
    return f"{name} = (\n{lines})\n" if values else f"{name} = ()\n"


def _deed(deed: Deed) -> str:
    """Return the expression that makes a deed."""
    action = deed.action
    parts = [f"Verb.{action.verb.name}"]
    if action.click is not None:
        parts.append(f"click=Click({action.click.x!r}, {action.click.y!r})")
    if action.text is not None:
        parts.append(f"text={action.text!r}")
    return f"Deed({deed.at}, Role.{deed.role.name}, Action({', '.join(parts)}))"
