"""Turns the steps of a PDDL plan into skills, each with the fact that its refusal teaches."""

from collections.abc import Callable, Iterator, Sequence

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import Skill
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import CoolIn, HeatIn, HeatOn
from tatc.commander.skills.hold import Hold, Open, PutDown
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch_and_open import OpenClose, Switch
from tatc.commander.skills.water import PourOn
from tatc.home.actions import Verb
from tatc.home.type_facts import KNIFE_TYPES
from tatc.planners.pddl.problem import PlanStep
from tatc.planners.snapshot_view import RefusedInteraction

GuardedSkill = tuple[Skill, RefusedInteraction | None]
"""A skill, and the fact for the next problem if the skill is refused (None for none)."""


def skills_of_plan(steps: Sequence[PlanStep], known: Knowledge) -> Iterator[GuardedSkill]:
    """Yield the skills of a plan, up to the first step with an object that does not exist."""
    last: GuardedSkill | None = None
    for step in steps:
        created = step.args[1:2] if step.action in _CREATES_SECOND_ARGUMENT else ()
        if any(known.snapshot.get(n) is None for n in step.args if n not in created):
            return
        for skill in SKILLS_BY_PDDL_ACTION[step.action](step.args, known):
            if skill != last:
                yield skill
            last = skill


_CREATES_SECOND_ARGUMENT = ("crack", "crack-in")

SkillConverter = Callable[[tuple[str, ...], Knowledge], tuple[GuardedSkill, ...]]


def _convert_pick_up(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    return ((Hold(args[0]), RefusedInteraction(Verb.PICKUP, args[0])),)


def _convert_put(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    item, place = args
    return ((PlaceIn(item, place), RefusedInteraction(Verb.PLACE, place, item)),)


def _convert_put_down(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    return ((PutDown(), None),)


def _convert_open(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    obj = known.snapshot.get(args[0])
    holds = obj is not None and obj.affordances.receptacle
    skill = Open(args[0]) if holds else OpenClose(args[0], is_open=True)
    return ((skill, RefusedInteraction(Verb.OPEN, args[0])),)


def _convert_close(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    return ((OpenClose(args[0], is_open=False), RefusedInteraction(Verb.CLOSE, args[0])),)


def _convert_switch(device: str, *, on: bool) -> GuardedSkill:
    verb = Verb.TOGGLE_ON if on else Verb.TOGGLE_OFF
    return Switch(device, on=on), RefusedInteraction(verb, device)


def _convert_rinse(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    """Turn on the faucet; off and on again if it already runs over the item."""
    item, sink, faucet = args
    obj, tap = known.snapshot.get(item), known.snapshot.get(faucet)
    inside = obj is not None and sink in (p.objectId for p in known.view.receptacles_of(obj))
    run = _convert_switch(faucet, on=True)
    if inside and tap is not None and tap.isToggled:
        return _convert_switch(faucet, on=False), run
    return (run,)


def _convert_pour(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    vessel, target = args
    return ((PourOn(vessel, target), RefusedInteraction(Verb.POUR, target, vessel)),)


def _convert_cut(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    knife = next(name for name in args if name != args[0] and _is_knife(name, known))
    return ((Cut(args[0]), RefusedInteraction(Verb.SLICE, args[0], knife)),)


def _convert_heat_in(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    *_, item, appliance = args  # to boil in a microwave, the bowl with the food is heated
    return ((HeatIn(item, appliance), RefusedInteraction(Verb.TOGGLE_ON, appliance)),)


def _convert_cool_in(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    item, fridge = args
    return ((CoolIn(item, fridge), RefusedInteraction(Verb.CLOSE, fridge)),)


def _convert_heat_on(args: tuple[str, ...], known: Knowledge) -> tuple[GuardedSkill, ...]:
    _, vessel, burner, knob = args
    return ((HeatOn(vessel, burner), RefusedInteraction(Verb.TOGGLE_ON, knob)),)


def _is_knife(name: str, known: Knowledge) -> bool:
    obj = known.snapshot.get(name)
    return obj is not None and obj.objectType in KNIFE_TYPES


SKILLS_BY_PDDL_ACTION: dict[str, SkillConverter] = {
    **dict.fromkeys(("pick-up", "take", "take-out", "take-piece"), _convert_pick_up),
    **dict.fromkeys(("put", "put-in", "put-in-water"), _convert_put),
    "put-down": _convert_put_down,
    "open": _convert_open,
    "close": _convert_close,
    "switch-on": lambda args, known: (_convert_switch(args[0], on=True),),
    "switch-off": lambda args, known: (_convert_switch(args[0], on=False),),
    **dict.fromkeys(("rinse", "fill", "wash"), _convert_rinse),
    **dict.fromkeys(("pour-out", "pour-into"), _convert_pour),
    **dict.fromkeys(("slice", "crack", "crack-in"), _convert_cut),
    **dict.fromkeys(("brew", "toast", "cook-in-microwave", "boil-in-microwave"), _convert_heat_in),
    **dict.fromkeys(("cook-on-burner", "boil"), _convert_heat_on),
    "cool-in-fridge": _convert_cool_in,
}
"""The skills that each action of the domain becomes."""
