"""Small problems of the household domain, made by hand and at random."""

from hypothesis import strategies as st

from tatc.planners.pddl.problem import Atom, PddlProblem, PlanStep


def parse_facts(text: str) -> tuple[Atom, ...]:
    return tuple(tuple(line.split()) for line in text.split(",") if line.strip())


def parse_steps(text: str) -> tuple[PlanStep, ...]:
    made = (line.split() for line in text.split(",") if line.strip())
    return tuple(PlanStep(name, tuple(args)) for name, *args in made)


def make_problem(objects: str, init: str, goal: str) -> PddlProblem:
    pairs = tuple(tuple(pair.split(":")) for pair in objects.split())
    return PddlProblem(pairs, parse_facts(init), parse_facts(goal))


SINK_FACTS = "roomy sink, reachable sink, waters tap sink, switchable tap, off tap, fits mug sink"
MUG_PROBLEM = make_problem(
    "mug:vessel other:vessel sink:sink tap:faucet machine:coffeemachine",
    f"hand-free, aside mug, dirty mug, empty mug, {SINK_FACTS}, fits mug machine, "
    "tight machine, reachable machine, fits other machine, in other machine",
    "clean mug, coffee mug",
)
TOAST_PROBLEM = make_problem(
    "loaf:solid slice:solid knife:knife toaster:toaster fridge:fixture plate:solid",
    "hand-free, aside knife, in loaf fridge, fits loaf fridge, roomy fridge, "
    "has-door fridge, shut fridge, sliceable loaf, piece slice loaf, unborn slice, "
    "raw slice, toastable slice, fits slice toaster, tight toaster, vacant toaster, "
    "reachable toaster, roomy plate, reachable plate, fits slice plate",
    "cooked slice, in slice plate",
)
BOIL_PROBLEM = make_problem(
    "potato:solid pot:vessel sink:sink tap:faucet burner:burner knob:knob",
    "hand-free, aside potato, raw potato, cookable potato, soaks potato pot, in pot "
    "burner, reachable pot, fits pot burner, tight burner, reachable burner, "
    "heats knob burner, off knob, empty pot, roomy sink, reachable sink, "
    "waters tap sink, switchable tap, off tap, fits pot sink",
    "boiled potato",
)
EGG_PROBLEM = make_problem(
    "egg:solid yolk:solid knife:knife pan:solid burner:burner knob:knob",
    "hand-free, aside knife, in egg pan, fits egg pan, fits yolk pan, roomy pan, "
    "reachable pan, cracks egg yolk, raw yolk, cookable yolk, in pan burner, fits pan "
    "burner, tight burner, reachable burner, heats knob burner, off knob",
    "cooked yolk",
)
PLANT_PROBLEM = make_problem(
    "mug:vessel sink:sink tap:faucet plant:fixture",
    f"hand-free, in mug sink, empty mug, {SINK_FACTS}, waterable plant, empty plant",
    "full plant",
)
PROBLEMS = {
    "mug": MUG_PROBLEM,
    "toast": TOAST_PROBLEM,
    "boil": BOIL_PROBLEM,
    "egg": EGG_PROBLEM,
    "plant": PLANT_PROBLEM,
}


@st.composite
def random_problems(draw: st.DrawFn) -> PddlProblem:
    """Draw items in places, some shut or tight, and where they should be instead."""
    items = [f"item-{i}" for i in range(draw(st.integers(1, 3)))]
    places = [f"place-{i}" for i in range(draw(st.integers(1, 3)))]
    init: list[Atom] = [("hand-free",)]
    vacant = set(places)
    for place in places:
        tight, door, stuck = (draw(st.booleans()) for _ in range(3))
        init.append(("tight" if tight else "roomy", place))
        if door:
            init.append(("shut", place))
            init += [] if stuck else [("has-door", place)]
        else:
            init.append(("reachable", place))
        if not tight:
            vacant.discard(place)
    for item in items:
        init.append(("dirty", item))
        at = draw(st.sampled_from([None, *places]))
        init.append(("aside", item) if at is None else ("in", item, at))
        vacant.discard(at or "")
        init += [("fits", item, p) for p in places if at == p or draw(st.booleans())]
    init += [("vacant", place) for place in sorted(vacant)]
    if draw(st.booleans()):
        init += parse_facts("roomy sink, reachable sink, waters tap sink, switchable tap")
        init += [("off", "tap"), *(("fits", item, "sink") for item in items)]
    goal: dict[Atom, None] = {}
    for item in draw(st.lists(st.sampled_from(items), min_size=1, unique=True)):
        where = draw(st.sampled_from([None, *places]))
        goal[("clean", item) if where is None else ("in", item, where)] = None
    objects = [(item, "solid") for item in items]
    objects += [(place, "fixture") for place in places]
    objects += [("sink", "sink"), ("tap", "faucet")]
    return PddlProblem(tuple(objects), tuple(init), tuple(goal))
