"""What an agent's class says of itself, so that a session knows what to give it.

A class declares it once:

    class MyFollower:
        traits = AgentTraits(perceives=True, settings=("questions",))

Only `traits_of` reads it.  For a class that declares nothing, such as one that only follows the
tutorial, it takes the traits from the class's attributes and constructor.
"""

from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from typing import Any


@dataclass(frozen=True, slots=True)
class AgentTraits:
    """What an agent takes and offers beyond `begin` and `act`."""

    perceives: bool = False
    """A Follower uses `Observation.percepts`."""
    masks_only: bool = False
    """It perceives at the level masks alone, and uses neither numbers nor states."""
    view_side_pixels: int | None = None
    """Pixels along each side of its views; None for the usual size."""
    draws: bool = True
    """A Follower uses `Observation.frame`."""
    reads: bool = False
    """Its constructor takes `read`, which returns what a dialogue means."""
    recalls_names: bool = False
    """It reads with the user's named goals too."""
    settings: tuple[str, ...] = ()
    """The settings that its constructor takes by keyword (`tatc.session.agents.settings`)."""
    believes: bool = False
    """It has `current_belief` and `set_goal`."""
    tells_goal: bool = False
    """It has `goal_words`: it understands free words."""
    keeps_turn: bool = False
    """A Follower has `keeps_turn`, which says whether it goes on after what it has just said."""
    takes_goal: bool = False
    """It has `take_goal`, for evaluation with the true goal."""
    notes: bool = False
    """It has `notes`, an `AgentNotes` for the session's record and end."""


def traits_of(agent: Any) -> AgentTraits:
    """Return the traits of an agent, of its class, or of what makes it."""
    made_of: Any = agent.func if isinstance(agent, partial) else agent
    declared = getattr(made_of, "traits", None)
    if not isinstance(declared, AgentTraits):
        return _shown_traits(made_of)
    if not isinstance(made_of, type) or not _has_own_constructor(made_of):
        return declared
    # A user's subclass may take less than the class that it is made from.
    taken = _taken_names(made_of)
    kept = tuple(name for name in declared.settings if name in taken)
    reads = declared.reads and "read" in taken
    recalls = declared.recalls_names and reads
    return replace(declared, settings=kept, reads=reads, recalls_names=recalls)


def _has_own_constructor(cls: type) -> bool:
    """Return whether a class defines a constructor below the class that declares its traits."""
    first = next(each for each in cls.__mro__ if {"traits", "__init__"} & vars(each).keys())
    return "traits" not in vars(first)


def _taken_names(made_of: Any) -> tuple[str, ...]:
    """Return the names of a constructor's arguments; none for what is no class."""
    return tuple(signature(made_of).parameters) if isinstance(made_of, type) else ()


def _shown_traits(made_of: Any) -> AgentTraits:
    """Return the traits that a user's agent shows, as docs/tutorial/follower.md promises."""
    taken = _taken_names(made_of)
    reads = "read" in taken
    return AgentTraits(
        perceives=bool(getattr(made_of, "perceives", False)),
        view_side_pixels=getattr(made_of, "view_side_pixels", None),
        draws=bool(getattr(made_of, "draws", True)),
        reads=reads,
        recalls_names=reads and bool(getattr(made_of, "recalls_names", True)),
        settings=tuple(name for name in taken if name != "read"),
        believes=hasattr(made_of, "current_belief"),
        tells_goal=hasattr(made_of, "goal_words"),
        takes_goal=hasattr(made_of, "take_goal"),
        notes=hasattr(made_of, "notes"),
    )
