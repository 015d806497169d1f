"""The lists: objects, what has changed, breakpoints."""

from rich.text import Text

from tatc.debugger.control import Debugger
from tatc.debugger.differences import differences
from tatc.debugger.missing import told
from tatc.debugger.naming import Names
from tatc.debugger.writing import BAD, DIM, ME, WARM, row
from tatc.state import ObjectState

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
_LONGEST = 40  # lines of a list; longer ones are slow to lay out


def objects(debugger: Debugger, search: str, width: int) -> Text:
    """Return the objects that a search finds, any without one.

    What is held comes first, then what is not as things usually are.
    """
    snapshot = debugger.moment.snapshot
    names, text = Names(snapshot), Text()
    found = [t for t in snapshot.objects if _matches(t, search, names)]
    found.sort(key=lambda t: (not t.isPickedUp, not _state(t), t.objectType))
    for thing in found[:_LONGEST]:
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
    if len(found) > _LONGEST:
        text.append(f"and {len(found) - _LONGEST} more; / searches them\n", DIM)
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
    row(text, "  id", thing.objectId, width, DIM)
    x, y, z = thing.position
    row(text, "  at", f"{x:.2f} {y:.2f} {z:.2f}", width, DIM)
    for name in thing.__dataclass_fields__:
        value = getattr(thing, name)
        if isinstance(value, bool | int) and name not in ("mass",):
            text.append(f"  {name} ", DIM)
            text.append(f"{told(value)}\n")


def changes(debugger: Debugger) -> Text:
    """Return what has changed since the step that is marked."""
    text, since = Text(), debugger.since
    before = debugger.moments[since].snapshot
    found = differences(before, debugger.moment.snapshot)
    text.append(f"since step {since}: {len(found) or 'nothing'}\n", DIM)
    for change in found[:_LONGEST]:
        text.append(f"{change.thing}.{change.what} ", ME)
        text.append(change.was, DIM)
        text.append(" → ", DIM)
        text.append(f"{change.now}\n", WARM)
    if len(found) > _LONGEST:
        text.append(f"and {len(found) - _LONGEST} more\n", DIM)
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
