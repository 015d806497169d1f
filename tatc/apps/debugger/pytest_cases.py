"""A session, up to the step that is shown, as a test that pytest runs, and its record beside it.

The test replays the session in the world and, if the agents acted from its start to its end, runs
the agents again too.  It may be run from any folder: it goes by itself to the one that the debugger
was started in, where it uses files or modules of that one.

The test itself names the agents: a record alone brings in none but tatc's own.  Every value stands
in it as Python writes it (`repr`), so that no text of a record or a game is anything else there.
"""

from collections.abc import Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tatc.apps.debugger.branches import fork
from tatc.apps.debugger.debugger import Debugger
from tatc.base import errors, files
from tatc.language.understanding.goal_json import content_json
from tatc.session.records import file_search, record_bytes
from tatc.session.timeline import GoalEdit, LiveSession, ManualAction, MessageEdit, live_session
from tatc.session.worlds import MAP_FROM_BOXES, SHIPPED_MAP


def write_pytest_case(debugger: Debugger, path: Path, *, force: bool = False) -> Path:
    """Write the branch that is shown, up to its step, as a test; return its record's file."""
    if not (path.name.startswith("test_") and path.suffix == ".py"):
        fix = f"for example test_{path.stem.removeprefix('test_') or 'case'}.py"
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
    start, setup, count = live.start, live.setup, len(live.moments) - 1
    from_file = setup.floor_map not in (SHIPPED_MAP, MAP_FROM_BOXES)
    # The agents may use files or modules of the current folder.
    has_own_agents = policies is not None and ":" in f"{setup.commander}{setup.follower}"
    needs_folder = from_file or bool(policies) or has_own_agents
    actions = [each.action for each in live.manual_actions if isinstance(each, ManualAction)]
    # Any: jinja2 leaves the type of its filters open.
    environment: Any = Environment(
        loader=PackageLoader("tatc.apps.debugger", ""),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["repr"] = _repr
    return environment.get_template("case.py.jinja").render(
        title=f"{start.task.name} in {start.place}, up to step {count}, by `tatc debug`.",
        record=record.name,
        count=count,
        met=live.moments[-1].progress.goal_conditions_satisfied,
        floor_map=f", floor_map={setup.floor_map!r}" if from_file else "",
        folder=relpath(Path.cwd(), record.resolve().parent) if needs_folder else None,
        setup=setup,
        policies=None if policies is None else [f"Path({str(each)!r})" for each in policies],
        actions=[*map(_action_source, live.manual_actions)] if policies is not None else [],
        acts=bool(actions),
        clicks=any(action.click for action in actions),
        edits_goal=len(actions) < len(live.manual_actions),
    )


def _repr(value: object) -> str:
    return repr(str(value) if isinstance(value, str) else value)  # a text of a StrEnum is plain


def _action_source(manual_action: live_session.ManualChange) -> str:
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
