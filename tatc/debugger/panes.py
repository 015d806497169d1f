"""How each pane tells its part of the moment: lines of styled text, for any width."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.text import Text

from tatc.debugger.control import Debugger
from tatc.debugger.differences import differences, pose
from tatc.debugger.missing import counted, tree
from tatc.debugger.missing import told as in_words
from tatc.debugger.naming import Names
from tatc.debugger.sight import Sight
from tatc.debugger.story import Tone, counted_verbs, told, window
from tatc.state import ObjectState
from tatc.timeline import Moment, ahead, changed_progress

DIM, GOOD, BAD, WARM = "#7f8694", "#7ee2a8", "#ff8d85", "#ffd65c"
YOU, ME = "#d6a0ff", "#78d6ff"
"""The Commander's colour and the Follower's."""

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
_FLAGS = (
    ("isPickedUp", "held"),
    ("isOpen", "open"),
    ("isToggled", "on"),
    ("isDirty", "dirty"),
    ("isSliced", "sliced"),
    ("isBroken", "broken"),
    ("isCooked", "cooked"),
    ("isFilledWithLiquid", "filled"),
    ("simbotIsFilledWithCoffee", "coffee"),
    ("simbotIsBoiled", "boiled"),
)
_ALTERNATIVES = 12
_OBJECTS = _CHANGES = 40  # lines of a list; long ones are slow to lay out
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
        _hang(text, head, line.text, DIM if line.why or line.met else "", width)
    return text


def _hang(text: Text, head: Text, body: str, style: str, width: int) -> None:
    """Append a head and a body that is wrapped beside it."""
    room = max(width - len(head), 12)
    lines = wrap(body, room) or [""]
    text.append_text(head)
    text.append(f"{lines[0]}\n", style)
    for line in lines[1:]:
        text.append(f"{' ' * len(head)}{line}\n", style)


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
        _row(text, "key", key, width, WARM)
    _row(text, "policy", made.policy, width)
    _row(text, "skill", names.shorten(made.skill), width)
    _row(text, "cost", "" if made.cost is None else f"{made.cost} primitives", width)
    _row(text, "because", names.shorten(made.reason), width)
    left = ahead(debugger.moments, debugger.at).steps
    _row(text, "ahead", counted_verbs(step.verb for step in left), width, ME)
    if made.alternatives:
        text.append("refused first\n", DIM)
    for each in made.alternatives[:_ALTERNATIVES]:
        _hang(text, Text("  x ", BAD), names.shorten(each), "", width)
    if len(made.alternatives) > _ALTERNATIVES:
        text.append(f"  and {len(made.alternatives) - _ALTERNATIVES} more\n", DIM)
    return text


def _row(text: Text, name: str, value: str, width: int, style: str = "") -> None:
    if value:
        _hang(text, Text(f"{name:<8}", DIM), value, style, width)


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


def objects(debugger: Debugger, search: str, width: int) -> Text:
    """Return the objects that a search finds, any without one.

    What is held comes first, then what is not as things usually are.
    """
    snapshot = debugger.moment.snapshot
    names, text = Names(snapshot), Text()
    found = [t for t in snapshot.objects if _matches(t, search, names)]
    found.sort(key=lambda t: (not t.isPickedUp, not _state(t), t.objectType))
    for thing in found[:_OBJECTS]:
        text.append(f"{names.of(thing.objectId)}", ME)
        state = _state(thing)
        if state:
            text.append(f"  {', '.join(state)}", WARM)
        parents = [names.of(each) for each in thing.parentReceptacles or ()]
        if parents:
            text.append(f"  in {' in '.join(parents)}", DIM)
        text.append("\n")
        if search and len(found) <= 3:
            _details(text, thing, width)
    if len(found) > _OBJECTS:
        text.append(f"and {len(found) - _OBJECTS} more; / searches them\n", DIM)
    if not found:
        text.append(f"no object matches {search!r}", DIM)
    return text


def _state(thing: ObjectState) -> list[str]:
    return [word for field, word in _FLAGS if getattr(thing, field)]


def _matches(thing: ObjectState, search: str, names: Names) -> bool:
    plain = search.lower()
    return plain in thing.objectId.lower() or plain in names.of(thing.objectId).lower()


def _details(text: Text, thing: ObjectState, width: int) -> None:
    """Add every property of an object that says something."""
    _row(text, "  id", thing.objectId, width, DIM)
    x, y, z = thing.position
    _row(text, "  at", f"{x:.2f} {y:.2f} {z:.2f}", width, DIM)
    for name in thing.__dataclass_fields__:
        value = getattr(thing, name)
        if isinstance(value, bool | int) and name not in ("mass",):
            text.append(f"  {name} ", DIM)
            text.append(f"{in_words(value)}\n")


def changes(debugger: Debugger) -> Text:
    """Return what has changed since the step that is marked."""
    text, since = Text(), debugger.since
    before = debugger.moments[since].snapshot
    found = differences(before, debugger.moment.snapshot)
    text.append(f"since step {since}: {len(found) or 'nothing'}\n", DIM)
    for change in found[:_CHANGES]:
        text.append(f"{change.thing}.{change.what} ", ME)
        text.append(change.was, DIM)
        text.append(" → ", DIM)
        text.append(f"{change.now}\n", WARM)
    if len(found) > _CHANGES:
        text.append(f"and {len(found) - _CHANGES} more\n", DIM)
    return text


def breakpoints(debugger: Debugger) -> Text:
    """Return the list of breakpoints."""
    text = Text()
    for number, each in enumerate(debugger.breakpoints.all, 1):
        text.append(f"{number} ", DIM)
        text.append("● " if each.on else "○ ", BAD if each.on else DIM)
        text.append(f"{each.text}\n", "" if each.on else DIM)
    if not debugger.breakpoints.all:
        text.append("none yet\n", DIM)
    text.append("\nbreak failed, break goal lost, break says PATTERN, ", DIM)
    text.append("break key isDirty, break object Mug.isDirty, break step 40", DIM)
    return text


def timebar(debugger: Debugger, width: int) -> Text:
    """Return the whole session in one line: failures, words, goals, where one is."""
    moments, width = debugger.moments, max(width, 2)
    scale = (width - 1) / max(debugger.branch.last, 1)
    ranks = [len(_TICKS)] * width
    for index in range(1, len(moments)):
        column = round(index * scale)
        ranks[column] = min(ranks[column], _rank(moments, index))
    text, here = Text(no_wrap=True), round(debugger.at * scale)
    for column, rank in enumerate(ranks):
        letter, style = _TICKS[rank] if rank < len(_TICKS) else ("─", DIM)
        text.append(letter, f"bold reverse {WARM}" if column == here else style)
    return text


_TICKS = (
    ("▼", BAD),
    ("✗", BAD),
    ("▲", GOOD),
    ("≠", WARM),
    ("✎", YOU),
    ("╵", DIM),
)
"""Goal lost, action failed, goal gained, departs, by hand, words: the first wins."""


def _rank(moments: Sequence[Moment], index: int) -> int:
    """Return which tick a moment has; beyond them where it has none."""
    moment = moments[index]
    change = changed_progress(moments[index - 1], moment)
    holds = (
        change < 0,
        moment.failed,
        change > 0,
        bool(moment.departs),
        moment.by_hand,
        moment.said is not None,
    )
    return holds.index(True) if True in holds else len(holds)


def as_lines(debugger: Debugger, sight: Sight) -> Iterable[Text]:
    """Yield the whole moment for a plain terminal, pane after pane."""
    parts = (
        ("", title(debugger)),
        ("Dialogue", story(debugger, 96, 12)),
        ("Progress", progress(debugger, 96)),
        ("Decision", decision(debugger, 96)),
        ("In view", sight_list(debugger, sight, 24)),
        ("Changes", changes(debugger)),
    )
    for head, text in parts:
        if head:
            yield Text(f"\n{head}", "bold")
        text.rstrip()
        yield text


def line_of(debugger: Debugger) -> str:
    """Return the moment in one line."""
    return told(debugger.moment, Names(debugger.moment.snapshot)).text
