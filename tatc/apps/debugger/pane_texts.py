"""The texts of the panes at a moment, as styled lines for any width."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import groupby
from operator import attrgetter
from typing import cast

from rich.text import Text

from tatc.apps.debugger import moment_lines
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.terminal_drawing import (
    COMMANDER_COLOUR,
    DIM_COLOUR,
    FAILURE_COLOUR,
    FOLLOWER_COLOUR,
    HIGHLIGHT_COLOUR,
    MAX_LISTED,
    SUCCESS_COLOUR,
    append_hanging,
    append_row,
)
from tatc.base.errors import TatcError
from tatc.base.plain_text import counted, printable
from tatc.commander import oracle, policies
from tatc.home.state import AgentState, ObjectState, ShortNames, Snapshot
from tatc.language.skill_wording import explain
from tatc.session.records import RecordedDecision
from tatc.session.timeline import belief_summary, format_verb_runs, remaining_steps_at
from tatc.session.transcript import short_task_title
from tatc.sim.top_view.plan_model import state_words

_LINE_MARKS = {
    moment_lines.LineKind.COMMANDER: ("C", COMMANDER_COLOUR),
    moment_lines.LineKind.FOLLOWER: ("F", FOLLOWER_COLOUR),
    moment_lines.LineKind.ACTION: ("+", "#c8ccd6"),
    moment_lines.LineKind.FAILED: ("x", FAILURE_COLOUR),
    moment_lines.LineKind.CHECK: ("?", DIM_COLOUR),
    moment_lines.LineKind.START: (" ", DIM_COLOUR),
}
_MAX_ALTERNATIVES = 12


def all_pane_texts(debugger: Debugger, camera: FollowerCamera) -> Iterable[Text]:
    """Yield the texts of all panes, for output without a screen."""
    parts = (
        ("", title_text(debugger)),
        ("Dialogue", dialogue_text(debugger, 96, 12)),
        ("Progress", progress_text(debugger, 96)),
        ("Decision", decision_text(debugger, 96)),
        ("In view", visible_objects_text(debugger, camera, 24)),
        ("Changes", changes_text(debugger, 96)),
    )
    if debugger.policies:
        parts += (("What policies returned", policy_text(debugger, 96)),)
    if debugger.branch.shows_belief:
        title = belief_title(debugger)
        parts += (
            (f"{title[:1].upper()}{title[1:]}", belief_text(debugger, 96)),
            ("Belief and world", differences_text(debugger, 96)),
        )
    for head, text in parts:
        if head:
            yield Text(f"\n{head}", "bold")
        text.rstrip()
        yield text


def title_text(debugger: Debugger) -> Text:
    """Return the title line: task, place, step, goals and branch."""
    branch, start = debugger.branch, debugger.branch.session.start
    more = "" if branch.is_over else "+"
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(printable(f" {short_task_title(start.task)}"), "bold")
    line.append(printable(f" in {start.place}"), DIM_COLOUR)
    line.append(f"   step {debugger.at}", "bold")
    line.append(f" of {branch.last}{more}", DIM_COLOUR)
    progress = debugger.moment.progress
    line.append(
        f"   {moment_lines.format_goal_count(progress)} goals",
        SUCCESS_COLOUR if progress.success else HIGHLIGHT_COLOUR,
    )
    line.append(f"   {branch.name}", DIM_COLOUR if branch.forked_at is None else COMMANDER_COLOUR)
    if len(debugger.branches) > 1:
        line.append(f" ({len(debugger.branches)} branches)", DIM_COLOUR)
    if branch.end is not None:
        line.append(f"   ended: {branch.end.value.replace('_', ' ')}", DIM_COLOUR)
    return line


def dialogue_text(debugger: Debugger, width: int, height: int) -> Text:
    """Return what was said and done around the current moment."""
    rows = moment_lines.lines_around(debugger.moments, debugger.at, width - 7, height)
    text, last = Text(no_wrap=True), -1
    for line, here in rows:
        number = f"{line.moment_index:4d} " if line.moment_index != last else "     "
        mark, colour = _LINE_MARKS[line.kind]
        mark, last = mark if line.moment_index != last else " ", line.moment_index
        ground = " on #2b3a52" if here else ""
        style = ("bold " if here else "") + colour + ground
        text.append(number, DIM_COLOUR + ground)
        text.append(f"{mark} {line.text:<{max(width - 7, 0) if here else 0}}", style)
        text.append("\n")
    return text


def progress_text(debugger: Debugger, width: int) -> Text:
    """Return the progress tree: what is met, what is not, and why."""
    moment = debugger.moment
    text = Text()
    for line in moment_lines.progress_lines(moment.progress, moment.snapshot):
        mark, style = ("✓", SUCCESS_COLOUR) if line.is_met else ("✗", FAILURE_COLOUR)
        if line.is_reason:
            mark, style = "·", DIM_COLOUR
        head = Text(f"{'  ' * line.depth}{mark} ", style)
        colour = DIM_COLOUR if line.is_reason or line.is_met else ""
        append_hanging(text, head, line.text, colour, width)
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
        key = f"{names.name_of(object_id)}.{name} should be {moment_lines.format_value(wanted)}"
        append_row(text, "key", key, width, HIGHLIGHT_COLOUR)
    append_row(text, "policy", made.policy, width)
    if why_pddl := _why_pddl(debugger, made):
        append_row(text, "PDDL", why_pddl, width, HIGHLIGHT_COLOUR)
        _append_rejected(text, made, names, width)
    append_row(text, "skill", explain(names, made.skill), width)
    append_row(text, "cost", "" if made.cost is None else counted(made.cost, "primitive"), width)
    append_row(text, "because", explain(names, made.reason), width)
    left = remaining_steps_at(debugger.moments, debugger.at).steps
    append_row(text, "next", format_verb_runs(step.verb for step in left), width, FOLLOWER_COLOUR)
    if not why_pddl:
        _append_rejected(text, made, names, width)
    return text


def _append_rejected(text: Text, made: RecordedDecision, names: ShortNames, width: int) -> None:
    if made.alternatives:
        text.append("plans that were rejected before it\n", DIM_COLOUR)
    for each in made.alternatives[:_MAX_ALTERNATIVES]:
        append_hanging(text, Text("  x ", FAILURE_COLOUR), explain(names, each), "", width)
    if len(made.alternatives) > _MAX_ALTERNATIVES:
        text.append(f"  and {len(made.alternatives) - _MAX_ALTERNATIVES} more\n", DIM_COLOUR)


def _why_pddl(debugger: Debugger, made: RecordedDecision) -> str:
    """Return why PDDL planned a decision and from which step on, "" where a policy planned."""
    if made.policy != oracle.PDDL_POLICY:
        return ""
    if not made.fallback_reason:
        return "no policies are asked"
    first, earlier = made, debugger.moments[made.step].decision
    while earlier is not None and earlier.fallback_reason == made.fallback_reason:
        first, earlier = earlier, debugger.moments[earlier.step].decision
    since = "" if first is made else f" (at step {first.step + 1}; it goes on from there)"
    return made.fallback_reason + since


def policy_text(debugger: Debugger, width: int) -> Text:
    """Return what each policy returned that was asked before this step, and what agents printed."""
    try:
        work = debugger.agent_work
    except TatcError as fault:
        return Text(fault.one_line, DIM_COLOUR)
    if work is None:
        return Text("No policy has been asked yet, and nothing was printed.", DIM_COLOUR)
    text, names = Text(), ShortNames(debugger.moment.snapshot)
    text.append(f"when the agents acted from step {work.step}\n", DIM_COLOUR)
    for key, returned in work.calls:
        name = f"{names.name_of(key.object_id)}.{key.property_name}"
        append_row(text, "key", name, width, HIGHLIGHT_COLOUR)
        append_row(text, "  asked", policies.describe_policy(key.property_name), width, DIM_COLOUR)
        for plan in returned or ("no plans",):
            append_row(text, "  plan", explain(names, plan).strip("(,)"), width)
    for line in work.printed.splitlines():
        append_row(text, "printed", line, width, FOLLOWER_COLOUR)
    return text


def visible_objects_text(debugger: Debugger, camera: FollowerCamera, height: int) -> Text:
    """Return the visible objects, nearest first, and how many more there is no room for."""
    snapshot = debugger.moment.snapshot
    names, text = ShortNames(snapshot), Text(no_wrap=True, overflow="ellipsis")
    held = snapshot.held_object()
    text.append("holds ", DIM_COLOUR)
    holds = printable(names.name_of(held.objectId)) if held else "nothing"
    text.append(f"{holds}\n", HIGHLIGHT_COLOUR)
    parts = describe_pose(snapshot.follower).split(", ")
    text.append("".join(f"{part}\n" for part in parts), DIM_COLOUR)
    found, max_lines = camera.visible_objects(snapshot), max(height - len(parts) - 1, 1)
    shown = found if len(found) <= max_lines else found[: max_lines - 1]
    for seen in shown:
        text.append(f"{seen.distance_metres:.1f} m ", DIM_COLOUR)
        text.append(f"{seen.side:<5} ")
        text.append(f"{printable(names.name_of(seen.obj.objectId))}\n", FOLLOWER_COLOUR)
    if len(shown) < len(found):
        text.append(f"and {len(found) - len(shown)} farther away", DIM_COLOUR)
    return text


def describe_pose(agent: AgentState) -> str:
    """Return an agent's position and direction of view in words."""
    x, _, z = agent.position
    down = agent.horizon
    look = "level" if not down else f"{abs(down):.0f} {'down' if down > 0 else 'up'}"
    return f"x {x:.2f} z {z:.2f}, yaw {agent.yaw:.0f}, {look}"


_NO_BELIEF = "This Follower has no belief to show; the Follower listener has one."
_NOT_YET = "The Follower has not acted yet."


def belief_title(debugger: Debugger) -> str:
    """Return the title of the belief pane, with the step if the belief is an earlier one's."""
    here = debugger.belief
    at = "" if here is None or here.index == debugger.at else f" at step {here.index}"
    return f"the Follower's belief{at}"


def belief_text(debugger: Debugger, width: int) -> Text:
    """Return goal, evidence, doubts, plan, and what the Follower has said."""
    here = debugger.belief
    if here is None:
        return Text(_NOT_YET if debugger.branch.shows_belief else _NO_BELIEF, DIM_COLOUR)
    belief, found, text = here.belief, belief_summary.summarize_belief(here), Text()
    if found.goal is None:
        append_row(text, "goal", "none yet", width, FAILURE_COLOUR)
    else:
        _append_goal(text, found.goal, width)
    for question in belief.open_questions:
        append_row(text, "open", question, width, HIGHLIGHT_COLOUR)
    append_row(text, "hints", ", ".join(found.hints), width)
    verbs = format_verb_runs(step.verb for step in belief.next_steps)
    _append_plan(text, found, verbs, width)
    for words in belief.said:
        append_row(text, "said", words, width, FOLLOWER_COLOUR)
    left = "what it likes" if belief.utterances_left is None else f"{belief.utterances_left} more"
    append_row(text, "may say", left, width, DIM_COLOUR)
    append_row(text, "stopped", belief.end, width, HIGHLIGHT_COLOUR)
    return text


def _append_goal(text: Text, goal: belief_summary.GoalSummary, width: int) -> None:
    append_row(text, "goal", goal.task, width, HIGHLIGHT_COLOUR)
    for number, line in enumerate(goal.lines, 1):
        append_row(text, f"     {number}:", line, width)
    for part, words in goal.evidence:
        append_row(text, "heard", f"{words} ({part})", width, DIM_COLOUR)
    sure = "" if goal.confidence is None else f", confidence {goal.confidence:.2f}"
    met = f"{goal.source}{sure}, {goal.met} of {goal.total} met as it believes"
    append_row(text, "is", met, width, SUCCESS_COLOUR if goal.met == goal.total else "")


def _append_plan(text: Text, found: belief_summary.BeliefSummary, verbs: str, width: int) -> None:
    for words in found.done:
        append_hanging(text, Text("      ✓ ", SUCCESS_COLOUR), words, DIM_COLOUR, width)
    if found.doing:
        append_hanging(text, Text("now   ▸ ", HIGHLIGHT_COLOUR), found.doing, "bold", width)
        append_hanging(text, Text("        "), verbs, FOLLOWER_COLOUR, width)
    for words in found.to_do:
        append_hanging(text, Text("lacks · ", DIM_COLOUR), words, "", width)


def differences_text(debugger: Debugger, width: int) -> Text:
    """Return where belief and world differ: what is wrong first, then what was not seen."""
    here = debugger.belief
    if here is None:
        return Text(_NOT_YET if debugger.branch.shows_belief else _NO_BELIEF, DIM_COLOUR)
    text = Text()
    found = belief_summary.find_differences(here)
    if all(each.kind is belief_summary.DifferenceKind.UNSEEN for each in found):
        text.append("All that it has seen is as it believes.\n", SUCCESS_COLOUR)
    for kind, same in groupby(found, key=attrgetter("kind")):
        differences = list(same)
        is_unseen = kind is belief_summary.DifferenceKind.UNSEEN
        mark = Text("? ", DIM_COLOUR) if is_unseen else Text("≠ ", FAILURE_COLOUR)
        text.append(f"{kind}: {len(differences)}\n", DIM_COLOUR)
        for each in differences[:MAX_LISTED]:
            append_hanging(text, mark, each.text, "", width)
        if len(differences) > MAX_LISTED:
            text.append(f"and {len(differences) - MAX_LISTED} more\n", DIM_COLOUR)
    return text


def objects_text(debugger: Debugger, search: str, width: int) -> Text:
    """Return the objects that match a search, all if it is ""; held and unusual ones first."""
    snapshot = debugger.moment.snapshot
    names, text = ShortNames(snapshot), Text()
    found = [
        obj
        for obj in snapshot.objects
        if any(search.lower() in n.lower() for n in (obj.objectId, names.name_of(obj.objectId)))
    ]
    found.sort(key=lambda obj: (not obj.isPickedUp, not state_words(obj), obj.objectType))
    for obj in found[:MAX_LISTED]:
        text.append(printable(names.name_of(obj.objectId)), FOLLOWER_COLOUR)
        state = state_words(obj)
        if state:
            text.append(f"  {', '.join(state)}", HIGHLIGHT_COLOUR)
        parents = [names.name_of(each) for each in obj.parentReceptacles or ()]
        if parents:
            text.append(printable(f"  in {' in '.join(parents)}"), DIM_COLOUR)
        text.append("\n")
        if search and len(found) <= 3:
            _append_details(text, obj, width)
    if len(found) > MAX_LISTED:
        text.append(f"and {len(found) - MAX_LISTED} more: press / to search\n", DIM_COLOUR)
    if not found:
        text.append(f"no object matches {search!r}", DIM_COLOUR)
    return text


def _append_details(text: Text, obj: ObjectState, width: int) -> None:
    append_row(text, "  id", obj.objectId, width, DIM_COLOUR)
    x, y, z = obj.position
    append_row(text, "  at", f"{x:.2f} {y:.2f} {z:.2f}", width, DIM_COLOUR)
    for name in obj.__dataclass_fields__:
        value = getattr(obj, name)
        if isinstance(value, bool | int) and name not in ("mass",):
            words = f"{name} {moment_lines.format_value(value)}"
            append_hanging(text, Text("  "), words, "", width)


def changes_text(debugger: Debugger, width: int) -> Text:
    """Return what has changed since the step that the user has marked."""
    text, since = Text(), debugger.since
    found = list(changes_between(debugger.moments[since].snapshot, debugger.moment.snapshot))
    text.append(f"since step {since}: {len(found) or 'nothing'}\n", DIM_COLOUR)
    for change in found[:MAX_LISTED]:
        name = Text(printable(f"{change.object_name}."), FOLLOWER_COLOUR)
        words = f"{change.property_name} {change.before} → {change.after}"
        append_hanging(text, name, words, HIGHLIGHT_COLOUR, width)
    if len(found) > MAX_LISTED:
        text.append(f"and {len(found) - MAX_LISTED} more\n", DIM_COLOUR)
    return text


_OBJECT_FIELDS = tuple(field.name for field in fields(ObjectState))


@dataclass(frozen=True, slots=True)
class StateChange:
    """One property of an object, or of the Follower, that has changed."""

    object_name: str
    property_name: str
    before: str
    after: str


def changes_between(before: Snapshot, after: Snapshot) -> Iterator[StateChange]:
    """Yield all changes between two snapshots of a session, the Follower's first."""
    names = ShortNames(after)
    if before.follower != after.follower:
        yield StateChange(
            "Follower", "pose", describe_pose(before.follower), describe_pose(after.follower)
        )
    for new in after.objects:
        old = before.get(new.objectId)
        if old is None:
            yield StateChange(names.name_of(new.objectId), "object", "absent", "present")
        elif old is not new:
            yield from _object_changes(old, new, names)


def _object_changes(old: ObjectState, new: ObjectState, names: ShortNames) -> Iterator[StateChange]:
    obj = names.name_of(new.objectId)
    for name in _OBJECT_FIELDS:
        was, now = getattr(old, name), getattr(new, name)
        if was == now or name in ("position", "rotation", "box"):
            continue
        yield StateChange(obj, name, _format_ids(was, names), _format_ids(now, names))
    if old.position != new.position:
        was, now = (" ".join(f"{each:.2f}" for each in o.position) for o in (old, new))
        yield StateChange(obj, "position", was, now)


def _format_ids(value: object, names: ShortNames) -> str:
    several = cast(tuple[object, ...], value if isinstance(value, tuple) else (value,))
    short = (names.name_of(v) if isinstance(v, str) and "|" in v else v for v in several)
    return moment_lines.format_value(tuple(short) if isinstance(value, tuple) else next(short))


def breakpoints_text(debugger: Debugger) -> Text:
    """Return the list of breakpoints."""
    text = Text()
    for number, each in enumerate(debugger.breakpoints.all, 1):
        text.append(f"{number} ", DIM_COLOUR)
        text.append("● " if each.on else "○ ", FAILURE_COLOUR if each.on else DIM_COLOUR)
        text.append(printable(each.text), "" if each.on else DIM_COLOUR)
        text.append(" (all sessions)\n" if each.is_global else "\n", DIM_COLOUR)
    if not debugger.breakpoints.all:
        text.append("no breakpoints yet\n", DIM_COLOUR)
    text.append("\nbreak failed, break goal lost, break says PATTERN, ", DIM_COLOUR)
    text.append("break key isDirty, break object Mug.isDirty, break global step 40", DIM_COLOUR)
    return text
