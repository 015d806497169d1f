"""The texts of the panes at a moment, as styled lines for any width."""

from collections.abc import Iterable

from rich.text import Text

from tatc.apps.debugger import belief_texts, list_pane_texts
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.dialogue_lines import LineKind, lines_around
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.progress_lines import format_goal_count, format_value, progress_lines
from tatc.apps.debugger.state_changes import describe_pose
from tatc.apps.debugger.text_layout import (
    COMMANDER_COLOUR,
    DIM_COLOUR,
    FAILURE_COLOUR,
    FOLLOWER_COLOUR,
    HIGHLIGHT_COLOUR,
    SUCCESS_COLOUR,
    append_hanging,
    append_row,
)
from tatc.home.state import ShortNames
from tatc.language.skill_wording import explain
from tatc.session.timeline import format_verb_runs, remaining_steps_at
from tatc.session.transcript import short_task_title

_LINE_STYLES = {
    LineKind.COMMANDER: COMMANDER_COLOUR,
    LineKind.FOLLOWER: FOLLOWER_COLOUR,
    LineKind.ACTION: "#c8ccd6",
    LineKind.FAILED: FAILURE_COLOUR,
    LineKind.CHECK: DIM_COLOUR,
    LineKind.START: DIM_COLOUR,
}
_LINE_MARKS = {
    LineKind.COMMANDER: "C",
    LineKind.FOLLOWER: "F",
    LineKind.ACTION: "+",
    LineKind.FAILED: "x",
    LineKind.CHECK: "?",
    LineKind.START: " ",
}
_MAX_ALTERNATIVES = 12


def title_text(debugger: Debugger) -> Text:
    """Return the title line: task, place, step, goals and branch."""
    branch, opening = debugger.branch, debugger.branch.timeline.opening
    more = "" if branch.is_over else "+"
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(f" {short_task_title(opening.task)}", "bold")
    line.append(f" in {opening.place}", DIM_COLOUR)
    line.append(f"   step {debugger.at}", "bold")
    line.append(f" of {branch.last}{more}", DIM_COLOUR)
    progress = debugger.moment.progress
    line.append(
        f"   {format_goal_count(progress)} goals",
        SUCCESS_COLOUR if progress.success else HIGHLIGHT_COLOUR,
    )
    line.append(
        f"   {branch.name}", COMMANDER_COLOUR if branch.forked_at is not None else DIM_COLOUR
    )
    if len(debugger.branches) > 1:
        line.append(f" ({len(debugger.branches)} branches)", DIM_COLOUR)
    if branch.end is not None:
        line.append(f"   ended: {branch.end.value.replace('_', ' ')}", DIM_COLOUR)
    return line


def dialogue_text(debugger: Debugger, width: int, height: int) -> Text:
    """Return what was said and done around the current moment."""
    rows = lines_around(debugger.moments, debugger.at, width - 7, height)
    text, last = Text(no_wrap=True), -1
    for line, here in rows:
        number = f"{line.moment_index:4d} " if line.moment_index != last else "     "
        mark = _LINE_MARKS[line.kind] if line.moment_index != last else " "
        last = line.moment_index
        ground = " on #2b3a52" if here else ""
        style = ("bold " if here else "") + _LINE_STYLES[line.kind] + ground
        text.append(number, DIM_COLOUR + ground)
        text.append(f"{mark} {line.text:<{max(width - 7, 0) if here else 0}}", style)
        text.append("\n")
    return text


def progress_text(debugger: Debugger, width: int) -> Text:
    """Return the progress tree: what is met, what is not, and why."""
    moment = debugger.moment
    text = Text()
    for line in progress_lines(moment.progress, moment.snapshot):
        mark, style = ("✓", SUCCESS_COLOUR) if line.is_met else ("✗", FAILURE_COLOUR)
        if line.is_reason:
            mark, style = "·", DIM_COLOUR
        head = Text(f"{'  ' * line.depth}{mark} ", style)
        append_hanging(
            text, head, line.text, DIM_COLOUR if line.is_reason or line.is_met else "", width
        )
    return text


def decision_text(debugger: Debugger, width: int) -> Text:
    """Return the Commander's last decision, and the steps of it that remain."""
    moment, text = debugger.moment, Text()
    made = moment.decision
    if made is None:
        text.append("The Commander has decided nothing yet.\n", DIM_COLOUR)
        if debugger.branch.played_by_people:
            text.append("People played this game, so there are no decisions.", DIM_COLOUR)
        return text
    names = ShortNames(moment.snapshot)
    if made.problem_key is not None:
        object_id, _, name, wanted = made.problem_key
        key = f"{names.name_of(object_id)}.{name} should be {format_value(wanted)}"
        append_row(text, "key", key, width, HIGHLIGHT_COLOUR)
    append_row(text, "policy", made.policy, width)
    append_row(text, "skill", explain(names, made.skill), width)
    append_row(text, "cost", "" if made.cost is None else f"{made.cost} primitives", width)
    append_row(text, "because", explain(names, made.reason), width)
    left = remaining_steps_at(debugger.moments, debugger.at).steps
    append_row(text, "next", format_verb_runs(step.verb for step in left), width, FOLLOWER_COLOUR)
    if made.alternatives:
        text.append("alternatives rejected before it\n", DIM_COLOUR)
    for each in made.alternatives[:_MAX_ALTERNATIVES]:
        append_hanging(text, Text("  x ", FAILURE_COLOUR), explain(names, each), "", width)
    if len(made.alternatives) > _MAX_ALTERNATIVES:
        text.append(f"  and {len(made.alternatives) - _MAX_ALTERNATIVES} more\n", DIM_COLOUR)
    return text


def visible_objects_text(debugger: Debugger, camera: FollowerCamera, height: int) -> Text:
    """Return the visible objects, nearest first: distance, side, name.

    The last row counts those for which there is no room.
    """
    snapshot = debugger.moment.snapshot
    names, text = ShortNames(snapshot), Text(no_wrap=True, overflow="ellipsis")
    held = snapshot.held_object()
    text.append("holds ", DIM_COLOUR)
    text.append(f"{names.name_of(held.objectId) if held else 'nothing'}\n", HIGHLIGHT_COLOUR)
    parts = describe_pose(snapshot.follower).split(", ")
    text.append("".join(f"{part}\n" for part in parts), DIM_COLOUR)
    found, max_lines = camera.visible_objects(snapshot), max(height - len(parts) - 1, 1)
    shown = found if len(found) <= max_lines else found[: max_lines - 1]
    for seen in shown:
        text.append(f"{seen.distance_metres:.1f} m ", DIM_COLOUR)
        text.append(f"{seen.side:<5} ")
        text.append(f"{names.name_of(seen.obj.objectId)}\n", FOLLOWER_COLOUR)
    if len(shown) < len(found):
        text.append(f"and {len(found) - len(shown)} farther away", DIM_COLOUR)
    return text


def all_pane_texts(debugger: Debugger, camera: FollowerCamera) -> Iterable[Text]:
    """Yield the texts of all panes, for output without a screen."""
    parts = (
        ("", title_text(debugger)),
        ("Dialogue", dialogue_text(debugger, 96, 12)),
        ("Progress", progress_text(debugger, 96)),
        ("Decision", decision_text(debugger, 96)),
        ("In view", visible_objects_text(debugger, camera, 24)),
        ("Changes", list_pane_texts.changes_text(debugger)),
        *_belief_parts(debugger),
    )
    for head, text in parts:
        if head:
            yield Text(f"\n{head}", "bold")
        text.rstrip()
        yield text


def _belief_parts(debugger: Debugger) -> Iterable[tuple[str, Text]]:
    if not debugger.branch.shows_belief:
        return ()
    title = belief_texts.belief_title(debugger)
    return (
        (f"{title[:1].upper()}{title[1:]}", belief_texts.belief_text(debugger, 96)),
        ("Belief and world", belief_texts.differences_text(debugger, 96)),
    )
