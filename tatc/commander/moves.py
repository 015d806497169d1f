"""What the steps of a PDDL plan become: skills, each with the fact of its refusal."""

from collections.abc import Callable, Iterator, Sequence

from tatc.actions import Verb
from tatc.commander.draft import Skill
from tatc.commander.knowledge import Knowledge
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.hold import Hold, Open, PutDown
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Swing, Switch
from tatc.commander.skills.water import PourOn
from tatc.planners.pddl.home import Refusal
from tatc.planners.pddl.problem import Step

Move = tuple[Skill, Refusal | None]
"""A skill, and the fact that it would be if the skill were refused."""


def moves_of(steps: Sequence[Step], known: Knowledge) -> Iterator[Move]:
    """Yield the skills of a plan, as far as its objects exist."""
    last: Move | None = None
    for step in steps:
        made = step.args[1:2] if step.action in _MAKES_ITS_SECOND else ()
        if any(known.snapshot.get(n) is None for n in step.args if n not in made):
            return
        for move in MOVES[step.action](step.args, known):
            if move != last:
                yield move
            last = move


_MAKES_ITS_SECOND = ("crack", "crack-in")

Convert = Callable[[tuple[str, ...], Knowledge], tuple[Move, ...]]


def _take(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((Hold(args[0]), Refusal(Verb.PICKUP, args[0])),)


def _put(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    item, place = args
    return ((PlaceIn(item, place), Refusal(Verb.PLACE, place, item)),)


def _put_down(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((PutDown(), None),)


def _open(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    thing = known.snapshot.get(args[0])
    holds = thing is not None and thing.affordances.receptacle
    skill = Open(args[0]) if holds else Swing(args[0], is_open=True)
    return ((skill, Refusal(Verb.OPEN, args[0])),)


def _close(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    return ((Swing(args[0], is_open=False), Refusal(Verb.CLOSE, args[0])),)


def _switch(device: str, *, on: bool) -> Move:
    verb = Verb.TOGGLE_ON if on else Verb.TOGGLE_OFF
    return Switch(device, on=on), Refusal(verb, device)


def _rinse(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    """Let the water run; anew if it runs already over what lies in it."""
    item, sink, faucet = args
    thing, tap = known.snapshot.get(item), known.snapshot.get(faucet)
    inside = thing is not None and sink in (p.objectId for p in known.parents(thing))
    run = _switch(faucet, on=True)
    if inside and tap is not None and tap.isToggled:
        return _switch(faucet, on=False), run
    return (run,)


def _pour(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    vessel, target = args
    return ((PourOn(vessel, target), Refusal(Verb.POUR, target, vessel)),)


def _cut(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    knife = next(name for name in args if name != args[0] and _is_knife(name, known))
    return ((Cut(args[0]), Refusal(Verb.SLICE, args[0], knife)),)


def _heat_in(item: str, appliance: str) -> tuple[Move, ...]:
    return ((HeatIn(item, appliance), Refusal(Verb.TOGGLE_ON, appliance)),)


def _heat_on(args: tuple[str, ...], known: Knowledge) -> tuple[Move, ...]:
    _, vessel, burner, knob = args
    return ((HeatOn(vessel, burner), Refusal(Verb.TOGGLE_ON, knob)),)


def _is_knife(name: str, known: Knowledge) -> bool:
    thing = known.snapshot.get(name)
    return thing is not None and "Knife" in thing.objectType


MOVES: dict[str, Convert] = {
    "pick-up": _take,
    "take": _take,
    "take-out": _take,
    "take-piece": _take,
    "put": _put,
    "put-in": _put,
    "put-in-water": _put,
    "put-down": _put_down,
    "open": _open,
    "close": _close,
    "switch-on": lambda args, known: (_switch(args[0], on=True),),
    "switch-off": lambda args, known: (_switch(args[0], on=False),),
    "rinse": _rinse,
    "fill": _rinse,
    "pour-out": _pour,
    "pour-into": _pour,
    "slice": _cut,
    "crack": _cut,
    "crack-in": _cut,
    "brew": lambda args, known: _heat_in(*args),
    "toast": lambda args, known: _heat_in(*args),
    "cook-in-microwave": lambda args, known: _heat_in(*args),
    "cook-on-burner": _heat_on,
    "boil": _heat_on,
    "boil-in-microwave": lambda args, known: _heat_in(args[1], args[2]),
}
"""The skills that an action of the domain becomes."""
