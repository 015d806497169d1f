"""What a person is told about a refusal: TEACh's table of hints (spec section 2.15).

A simulator answers a refused action with a message.  The table looks for fragments of
AI2-THOR's messages, in TEACh's order; the first row that fits gives the hint.
"""

HINTS_BY_FRAGMENTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("CanPickup to be",), "That kind of object cannot be picked up."),
    (("Object ID", "invalid"), "It was not clear what was clicked on."),
    (("Could not retrieve object",), "It was not clear what was clicked on."),
    (("if Agent isn't holding",), "Hold something first."),
    (("Slice: ObjectInteraction",), "Hold a knife first."),
    (("not toggleable",), "That object cannot be switched on or off."),
    (("toggle object off if",), "It is off already."),
    (("toggle object on if",), "It is on already."),
    (("is not an Openable object",), "That kind of object cannot be opened."),
    (("Does not have the CanBeSliced",), "That object cannot be sliced."),
    (("failed to open/close",), "Something is in the way of the door: step back, or clear it."),
    (("is blocking",), "Something is in the way."),
    (("a held item", "if agent rotates"), "What is held would hit something."),
    (("No valid positions to place",), "The receptacle is too full or too small."),
    (("NOT a receptacle",), "Nothing can be put on or in that object."),
    (("OFF to open!",), "Switch it off before opening it."),
    (("not a valid Object Type to be placed",), "What is held may not be put there."),
    (("No target found",), "There is nothing within reach there."),
    (("it is occluded by something",), "Another object is in the way."),
    (("Could not find a target object",), "No fitting object was clicked on."),
    (
        ("another object's collision is blocking",),
        "There is too much in the way, or what is held touches something.",
    ),
    (("too far away to",), "That is too far away: go nearer."),
    (("too far away for",), "The other agent is too far away."),
    (("only supported when holding",), "Nothing is held."),
    (("would cause it to collide and",), "It cannot be grasped from here."),
)
"""Fragments that must all occur in a message, and the hint they call for."""


def hint_for(message: str) -> str | None:
    """Return the hint for a refusal's message, None where there is none."""
    for fragments, hint in HINTS_BY_FRAGMENTS:
        if all(fragment in message for fragment in fragments):
            return hint
    return None
