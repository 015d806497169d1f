"""How each pane tells its part of the moment: lines of styled text, for any width."""

from collections.abc import Iterable

from rich.text import Text

from tatc.debugger import lists
from tatc.debugger.control import Debugger
from tatc.debugger.differences import pose
from tatc.debugger.missing import counted, tree
from tatc.debugger.missing import told as in_words
from tatc.debugger.naming import Names
from tatc.debugger.sight import Sight
from tatc.debugger.story import Tone, counted_verbs, window
from tatc.debugger.writing import BAD, DIM, GOOD, ME, WARM, YOU, hang, row
from tatc.timeline import ahead

_TONES = {
    Tone.COMMANDER: YOU,
    Tone.FOLLOWER: ME,
    Tone.DEED: "#c8ccd6",
    Tone.FAILED: BAD,
    Tone.CHECK: DIM,
    Tone.START: DIM,
}
_MARKS = {
    Tone.COMMANDER: "C",
    Tone.FOLLOWER: "F",
    Tone.DEED: "+",
    Tone.FAILED: "x",
    Tone.CHECK: "?",
    Tone.START: " ",
}
_ALTERNATIVES = 12
_PARAMS = 3  # parameters that the title has room for


def title(debugger: Debugger) -> Text:
    """Return the line on top: what is done where, and how far it is."""
    branch, opening = debugger.branch, debugger.branch.timeline.opening
    given = opening.task.params if len(opening.task.params) <= _PARAMS else ()
    params = f" ({', '.join(given)})" if given else ""
    more = "" if branch.over else "+"
    line = Text(no_wrap=True, overflow="ellipsis")
    line.append(f" {opening.task.name}{params}", "bold")
    line.append(f" in {opening.place}", DIM)
    line.append(f"   step {debugger.at}", "bold")
    line.append(f" of {branch.last}{more}", DIM)
    progress = debugger.moment.progress
    line.append(f"   {counted(progress)} goals", GOOD if progress.success else WARM)
    line.append(f"   {branch.name}", YOU if branch.forked is not None else DIM)
    if len(debugger.branches) > 1:
        line.append(f" ({len(debugger.branches)} branches)", DIM)
    if branch.end is not None:
        line.append(f"   ends: {branch.end.value.replace('_', ' ')}", DIM)
    return line


def story(debugger: Debugger, width: int, height: int) -> Text:
    """Return what was said and done around the moment."""
    rows = window(debugger.moments, debugger.at, width - 7, height)
    text, last = Text(no_wrap=True), -1
    for line, here in rows:
        number = f"{line.index:4d} " if line.index != last else "     "
        mark = _MARKS[line.tone] if line.index != last else " "
        last = line.index
        ground = " on #2b3a52" if here else ""
        style = ("bold " if here else "") + _TONES[line.tone] + ground
        text.append(number, DIM + ground)
        text.append(f"{mark} {line.text:<{max(width - 7, 0) if here else 0}}", style)
        text.append("\n")
    return text


def progress(debugger: Debugger, width: int) -> Text:
    """Return the progress tree, with what is missing and why."""
    moment = debugger.moment
    text = Text()
    for line in tree(moment.progress, moment.snapshot):
        mark, style = ("✓", GOOD) if line.met else ("✗", BAD)
        if line.why:
            mark, style = "·", DIM
        head = Text(f"{'  ' * line.depth}{mark} ", style)
        hang(text, head, line.text, DIM if line.why or line.met else "", width)
    return text


def decision(debugger: Debugger, width: int) -> Text:
    """Return why the Commander last spoke, and what is left of what it asked for."""
    moment, text = debugger.moment, Text()
    made = moment.decision
    if made is None:
        text.append("The Commander has decided nothing yet.\n", DIM)
        if debugger.branch.people:
            text.append("People played this game: their reasons are not recorded.", DIM)
        return text
    names = Names(moment.snapshot)
    if made.problem_key is not None:
        object_id, _, name, wanted = made.problem_key
        key = f"{names.of(object_id)}.{name} should be {in_words(wanted)}"
        row(text, "key", key, width, WARM)
    row(text, "policy", made.policy, width)
    row(text, "skill", names.shorten(made.skill), width)
    row(text, "cost", "" if made.cost is None else f"{made.cost} primitives", width)
    row(text, "because", names.shorten(made.reason), width)
    left = ahead(debugger.moments, debugger.at).steps
    row(text, "ahead", counted_verbs(step.verb for step in left), width, ME)
    if made.alternatives:
        text.append("refused first\n", DIM)
    for each in made.alternatives[:_ALTERNATIVES]:
        hang(text, Text("  x ", BAD), names.shorten(each), "", width)
    if len(made.alternatives) > _ALTERNATIVES:
        text.append(f"  and {len(made.alternatives) - _ALTERNATIVES} more\n", DIM)
    return text


def sight_list(debugger: Debugger, sight: Sight, height: int) -> Text:
    """Return what is in view, nearest first: distance, left, ahead or right, type.

    What so many rows do not hold is counted in the last.
    """
    snapshot = debugger.moment.snapshot
    names, text = Names(snapshot), Text(no_wrap=True, overflow="ellipsis")
    held = snapshot.held()
    text.append("holds ", DIM)
    text.append(f"{names.of(held.objectId) if held else 'nothing'}\n", WARM)
    parts = pose(snapshot.follower).split(", ")
    text.append("".join(f"{part}\n" for part in parts), DIM)
    found, room = sight.seen(snapshot), max(height - len(parts) - 1, 1)
    shown = found if len(found) <= room else found[: room - 1]
    for seen in shown:
        text.append(f"{seen.distance:.1f} m ", DIM)
        text.append(f"{seen.side:<5} ")
        text.append(f"{names.of(seen.thing.objectId)}\n", ME)
    if len(shown) < len(found):
        text.append(f"and {len(found) - len(shown)} farther away", DIM)
    return text


def as_lines(debugger: Debugger, sight: Sight) -> Iterable[Text]:
    """Yield the whole moment for a plain terminal, pane after pane."""
    parts = (
        ("", title(debugger)),
        ("Dialogue", story(debugger, 96, 12)),
        ("Progress", progress(debugger, 96)),
        ("Decision", decision(debugger, 96)),
        ("In view", sight_list(debugger, sight, 24)),
        ("Changes", lists.changes(debugger)),
    )
    for head, text in parts:
        if head:
            yield Text(f"\n{head}", "bold")
        text.rstrip()
        yield text
