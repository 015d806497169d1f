"""What can be said of an object's state in a word: held, open, dirty, cooked, ..."""

from tatc.home.state import ObjectState

_STATE_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("held", ("isPickedUp",)),
    ("open", ("isOpen",)),
    ("on", ("isToggled",)),
    ("dirty", ("isDirty",)),
    ("broken", ("isBroken",)),
    ("used up", ("isUsedUp",)),
    ("sliced", ("isSliced",)),
    ("filled", ("isFilledWithLiquid",)),
    ("water", ("simbotIsFilledWithWater",)),
    ("coffee", ("simbotIsFilledWithCoffee",)),
    ("cooked", ("isCooked", "simbotIsCooked")),
    ("boiled", ("simbotIsBoiled",)),
)
_ROOM_TEMPERATURE = "RoomTemp"


def state_words(obj: ObjectState) -> list[str]:
    """Return how an object is not as objects usually are, in words; empty if it is not."""
    found = [word for word, names in _STATE_WORDS if any(getattr(obj, name) for name in names)]
    if obj.ObjectTemperature != _ROOM_TEMPERATURE:
        found.append(obj.ObjectTemperature.lower())
    return found
