"""A session, up to the step that is shown, as a test that pytest runs.

The test is one Python file, with the record of the session beside it.  It replays the
session in the world and, if the agents acted from its start to its end, runs the agents
again too.  It may be run from any folder: where it uses files or modules of the folder
that the debugger was started in, it goes to that folder, by its path from the test.

The test itself names the agents: a record alone brings in none but tatc's own.  Every
value stands in the test as Python writes it (`repr`), so that no text of a record or a
game can be anything but a text there.
"""

from collections.abc import Iterator, Sequence
from os.path import relpath
from pathlib import Path

from tatc.apps.debugger.branches import fork
from tatc.apps.debugger.debugger import Debugger
from tatc.base import errors, files
from tatc.language.understanding.goal_json import content_json
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import file_search, record_bytes
from tatc.session.timeline import GoalEdit, LiveSession, ManualAction, MessageEdit
from tatc.session.timeline.live_session import ManualChange
from tatc.session.worlds import MAP_FROM_BOXES, SHIPPED_MAP

_FILE_HEAD = """{title!r}

from pathlib import Path

{imports}

RECORD = Path(__file__).with_name({record!r})
{constants}{fixture}"""
_FOLDER_FIXTURE = """

@pytest.fixture(autouse=True)
def in_the_folder_of_the_session(monkeypatch):
    monkeypatch.chdir(Path(__file__).parent / {folder!r})
"""
_WORLD_TEST = """

def test_the_world_answers_as_it_did():
    timeline = Timeline.of(RECORD{floor_map})
    assert [moment.divergence for moment in timeline.divergences] == []
    assert timeline.moments[-1].progress.goal_conditions_satisfied == {met}
"""
_AGENTS_TEST = """

def test_the_agents_do_what_they_did():
    saved = Timeline.of(RECORD{floor_map})
    live = LiveSession(saved.start, SETUP)
    with user_policies(POLICIES):
        live.run_to({count}, MANUAL_ACTIONS)
    for done, was in zip(live.moments, saved.moments, strict=True):
        assert done.interaction == was.interaction, f"step {{was.index}}"
"""


def write_pytest_case(debugger: Debugger, path: Path, *, force: bool = False) -> Path:
    """Write the branch that is shown, up to its step, as a test; return its record's file."""
    if not (path.name.startswith("test_") and path.suffix == ".py"):
        fix = f"for example test_{path.stem or 'case'}.py"
        raise errors.BadInput("pytest finds test_*.py alone", where=str(path), fix=fix)
    record = path.with_suffix(".game.json.gz")
    for each in (path, record):
        files.check_writable(each, force=force)
    branch, agents_remember = fork(debugger.branch, debugger.at, "case", debugger.setup)
    live = branch.live
    assert live is not None
    whole = agents_remember and not live.is_continued and not live.setup.has_model_agent
    text = _test_source(live, record, debugger.policies if whole else None)
    files.write_atomically(file_search.gzip_bytes(record_bytes(live.record())), record, force=force)
    files.write_atomically(text.encode(), path, force=force)
    return record


def _test_source(live: LiveSession, record: Path, policies: Sequence[Path] | None) -> str:
    """Return the source of the test; with policies None, of the world's part alone."""
    start, count = live.start, len(live.moments) - 1
    from_file = live.setup.floor_map not in (SHIPPED_MAP, MAP_FROM_BOXES)
    parts = {
        "title": f"{start.task.name} in {start.place}, {count} steps, by `tatc debug`.",
        "record": record.name,
        "count": count,
        "met": live.moments[-1].progress.goal_conditions_satisfied,
        "floor_map": f", floor_map={live.setup.floor_map!r}" if from_file else "",
        "fixture": "",
    }
    pytest_import = ""
    # The agents may use files or modules of the current folder.
    agents = (live.setup.commander, live.setup.follower)
    needs_folder = bool(policies) or (policies is not None and ":" in "".join(agents))
    if from_file or needs_folder:
        folder = relpath(Path.cwd(), record.resolve().parent)
        parts["fixture"] = _FOLDER_FIXTURE.format(folder=folder)
        pytest_import = "import pytest\n\n"
    if policies is None:
        imports = f"{pytest_import}from tatc.session.timeline import Timeline"
        return (_FILE_HEAD + _WORLD_TEST).format(imports=imports, constants="", **parts)
    imports = pytest_import + "\n".join(_import_lines(live.manual_actions, live.setup))
    constants = f"SETUP = {_setup_source(live.setup)}\n"
    constants += _constant_source("POLICIES", [f"Path({str(each)!r})" for each in policies])
    constants += _constant_source(
        "MANUAL_ACTIONS", [_action_source(each) for each in live.manual_actions]
    )
    text = _FILE_HEAD + _WORLD_TEST + _AGENTS_TEST
    return text.format(imports=imports, constants=constants, **parts)


def _import_lines(manual_actions: Sequence[ManualChange], setup: SessionSetup) -> Iterator[str]:
    actions = [each.action for each in manual_actions if isinstance(each, ManualAction)]
    edits_goal = len(actions) < len(manual_actions)
    if actions:
        clicks = "Click, " if any(action.click for action in actions) else ""
        yield f"from tatc.home.actions import Action, {clicks}Role, Verb"
    if setup.perception is not None:
        yield "from tatc.home.percepts import PerceptionLevel"
    yield "from tatc.session.agents.session_setup import SessionSetup"
    yield "from tatc.session.agents.agents import user_policies"
    edits, manual = "GoalEdit, " if edits_goal else "", "ManualAction, " if actions else ""
    yield f"from tatc.session.timeline import {edits}LiveSession, {manual}Timeline"
    if edits_goal:
        yield "from tatc.language.understanding.goal_json import read_content"
        yield "from tatc.language.understanding.understand import goal_of"


def _setup_source(setup: SessionSetup) -> str:
    """Return the expression that makes the setup of a session in tatc's own world."""
    given = f",\n    settings={setup.settings!r}" if setup.settings else ""
    if setup.perception is not None:
        given = f",\n    perception=PerceptionLevel({setup.perception.value!r}){given},"
    return (
        f"SessionSetup(\n    {setup.floor_map!r}, {setup.commander!r}, {setup.follower!r},"
        f" {setup.noise!r}, {str(setup.wording)!r}{given}\n)"
    )


def _constant_source(name: str, values: Sequence[str]) -> str:
    lines = "".join(f"    {value},\n" for value in values)
    return f"{name} = (\n{lines})\n" if values else f"{name} = ()\n"


def _action_source(manual_action: ManualChange) -> str:
    """Return the expression that makes a manual action, or a goal set by hand."""
    if isinstance(manual_action, GoalEdit):
        content = content_json(manual_action.goal.content)
        return f"GoalEdit({manual_action.at}, goal_of(read_content({content!r})))"
    assert not isinstance(manual_action, MessageEdit), "tests ask no language model"
    action = manual_action.action
    parts = [f"Verb.{action.verb.name}"]
    if action.click is not None:
        parts.append(f"click=Click({action.click.x!r}, {action.click.y!r})")
    if action.text is not None:
        parts.append(f"text={action.text!r}")
    made = f"Action({', '.join(parts)})"
    return f"ManualAction({manual_action.at}, Role.{manual_action.role.name}, {made})"
