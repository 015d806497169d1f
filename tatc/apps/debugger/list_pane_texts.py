"""The texts of the list panes: objects, changes, breakpoints."""

from rich.text import Text

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.progress_lines import format_value
from tatc.apps.debugger.state_changes import changes_between
from tatc.apps.debugger.text_layout import (
    DIM_COLOUR,
    FAILURE_COLOUR,
    FOLLOWER_COLOUR,
    HIGHLIGHT_COLOUR,
    MAX_LISTED,
    append_row,
)
from tatc.home.state import ObjectState, ShortNames
from tatc.sim.top_view.plan_model import state_words


def objects_text(debugger: Debugger, search: str, width: int) -> Text:
    """Return the objects that match a search, all if it is "".

    The held object comes first, then those whose state is unusual.
    """
    snapshot = debugger.moment.snapshot
    names, text = ShortNames(snapshot), Text()
    found = [t for t in snapshot.objects if _is_match(t, search, names)]
    found.sort(key=lambda t: (not t.isPickedUp, not state_words(t), t.objectType))
    for obj in found[:MAX_LISTED]:
        text.append(f"{names.name_of(obj.objectId)}", FOLLOWER_COLOUR)
        state = state_words(obj)
        if state:
            text.append(f"  {', '.join(state)}", HIGHLIGHT_COLOUR)
        parents = [names.name_of(each) for each in obj.parentReceptacles or ()]
        if parents:
            text.append(f"  in {' in '.join(parents)}", DIM_COLOUR)
        text.append("\n")
        if search and len(found) <= 3:
            _append_details(text, obj, width)
    if len(found) > MAX_LISTED:
        text.append(f"and {len(found) - MAX_LISTED} more: press / to search\n", DIM_COLOUR)
    if not found:
        text.append(f"no object matches {search!r}", DIM_COLOUR)
    return text


def _is_match(obj: ObjectState, search: str, names: ShortNames) -> bool:
    plain = search.lower()
    return plain in obj.objectId.lower() or plain in names.name_of(obj.objectId).lower()


def _append_details(text: Text, obj: ObjectState, width: int) -> None:
    """Append an object's id, position, and boolean and numeric properties."""
    append_row(text, "  id", obj.objectId, width, DIM_COLOUR)
    x, y, z = obj.position
    append_row(text, "  at", f"{x:.2f} {y:.2f} {z:.2f}", width, DIM_COLOUR)
    for name in obj.__dataclass_fields__:
        value = getattr(obj, name)
        if isinstance(value, bool | int) and name not in ("mass",):
            text.append(f"  {name} ", DIM_COLOUR)
            text.append(f"{format_value(value)}\n")


def changes_text(debugger: Debugger) -> Text:
    """Return what has changed since the step that the user has marked."""
    text, since = Text(), debugger.since
    before = debugger.moments[since].snapshot
    found = changes_between(before, debugger.moment.snapshot)
    text.append(f"since step {since}: {len(found) or 'nothing'}\n", DIM_COLOUR)
    for change in found[:MAX_LISTED]:
        text.append(f"{change.object_name}.{change.property_name} ", FOLLOWER_COLOUR)
        text.append(change.before, DIM_COLOUR)
        text.append(" → ", DIM_COLOUR)
        text.append(f"{change.after}\n", HIGHLIGHT_COLOUR)
    if len(found) > MAX_LISTED:
        text.append(f"and {len(found) - MAX_LISTED} more\n", DIM_COLOUR)
    return text


def breakpoints_text(debugger: Debugger) -> Text:
    """Return the list of breakpoints."""
    text = Text()
    for number, each in enumerate(debugger.breakpoints.all, 1):
        text.append(f"{number} ", DIM_COLOUR)
        text.append("● " if each.on else "○ ", FAILURE_COLOUR if each.on else DIM_COLOUR)
        text.append(f"{each.text}\n", "" if each.on else DIM_COLOUR)
    if not debugger.breakpoints.all:
        text.append("no breakpoints yet\n", DIM_COLOUR)
    text.append("\nbreak failed, break goal lost, break says PATTERN, ", DIM_COLOUR)
    text.append("break key isDirty, break object Mug.isDirty, break step 40", DIM_COLOUR)
    return text
