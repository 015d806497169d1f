"""At which level a Follower perceives: named by the user, or truth for one that perceives.

A Follower says that it uses `Observation.percepts` by a class attribute, `perceives = True`.
"""

from functools import partial
from typing import Any

from tatc.base.errors import BadInput, UnknownName
from tatc.home.percepts import PerceptionLevel

_FRAMES = "frames"


def parse_perception_level(text: str | None) -> PerceptionLevel | None:
    """Return the level of this name; None for None."""
    if text is None or text in list(PerceptionLevel):
        return None if text is None else PerceptionLevel(text)
    fix = "name truth or masks"
    if text == _FRAMES:
        why = "perception from frames needs a detector of objects in RGB images, and tatc has none"
        raise BadInput(why, where="--perception", fix=fix)
    raise UnknownName("perception level", text, (*PerceptionLevel,), fix=fix)


def perceives(made: Any) -> bool:
    """Return whether a Follower, or what makes one, says that it perceives."""
    return bool(getattr(made.func if isinstance(made, partial) else made, "perceives", False))


def level_for_follower(
    level: PerceptionLevel | None, made: Any, name: str
) -> PerceptionLevel | None:
    """Return the level at which a Follower perceives: `TRUTH` if none is named.

    Args:
        level: the level that the user names; None for the Follower's own.
        made: the Follower, or what makes it.
        name: how the user names it.
    """
    if perceives(made):
        return level or PerceptionLevel.TRUTH
    if level is not None:
        why = f"the Follower {name} does not perceive: it uses no percepts"
        raise BadInput(why, where="--perception", fix="leave it out, or name another --follower")
    return None
