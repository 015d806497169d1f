"""Problems written from a kitchen: what matters is in them, and no more."""

import pytest

from tatc.actions import Verb
from tatc.planners.pddl.aims import aims_of
from tatc.planners.pddl.home import Home, Refusal
from tatc.planners.pddl.language import replay
from tatc.planners.pddl.planner import solve
from tatc.planners.pddl.problem import Verdict
from tatc.planners.pddl.writing import write_problem
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.sim.scenes import kitchen

TASKS = [
    ("Coffee", ()),
    ("Clean All X", ("Dishware",)),
    ("Water Plant", ()),
    ("Toast", ()),
    ("Omelette", ()),
    ("Poach Egg", ()),
    ("Boil X", ("Potato",)),
    ("Cooked Slice Of X", ("Potato",)),
    ("N Slices Of X In Y", ("3", "Tomato", "on", "Plate")),
    ("Plate Of Toast", ()),
    ("Put All X On Y", ("Mug", "in", "Fridge")),
    ("Put All X In One Y", ("SaltShaker", "on", "Tables")),
    ("Toggle X All Y", ("on", "1", "Faucet")),
]


def home_of(*refused, **changes):
    return Home(EmbeddedSimulator().reset(kitchen(**changes)), refused)


def aims_in(home, name, *params, before=None):
    return aims_of(shipped_library().compile(name, params).definition, home, before)


def problem_in(home, name, *params):
    aims = aims_in(home, name, *params)
    assert not aims.lacking
    return write_problem(home, aims)


@pytest.mark.parametrize(("name", "params"), TASKS)
def test_a_task_becomes_a_problem_whose_plan_replays(name, params):
    problem = problem_in(home_of(), name, *params)
    solution = solve(problem)
    assert solution.verdict is Verdict.FOUND, solution.reason
    assert replay(problem.text(), solution.steps).valid


@pytest.mark.parametrize(("name", "params"), TASKS)
def test_every_name_leads_back_to_one_object_or_piece(name, params):
    home = home_of()
    problem = problem_in(home, name, *params)
    ids = dict(problem.ids)
    assert len(set(ids.values())) == len(ids)
    assert {name for name, _ in problem.objects} == set(ids)
    for object_id in ids.values():
        assert home.get(object_id) is not None or "|?" in object_id
    steps = solve(problem).steps
    assert problem.by_name(problem.by_id(steps)) == steps


def test_the_same_home_gives_the_same_text():
    texts = {problem_in(home_of(), "Plate Of Toast").text() for _ in range(3)}
    assert len(texts) == 1


def test_what_does_not_matter_is_left_out():
    home = home_of()
    problem = problem_in(home, "Coffee")
    kinds = {name.rsplit("-", 1)[0] for name, _ in problem.objects}
    assert "coffeemachine" in kinds
    assert not kinds & {"tomato", "bread", "toaster", "houseplant", "stoveburner"}
    assert len(problem.objects) < len(home.snapshot.objects) / 2


def test_what_holds_already_needs_no_plan():
    home = home_of(Faucet={"isToggled": True})
    problem = problem_in(home, "Toggle X All Y", "on", "1", "Faucet")
    assert solve(problem).steps == ()


@pytest.mark.parametrize("kind", ["CoffeeMachine", "Faucet", "Mug"])
def test_a_refused_switch_or_grip_takes_the_plan_away(kind):
    home = home_of(Mug={"isDirty": True})
    [thing] = home.all(kind)[:1]
    refused = [
        Refusal(Verb.PLACE, thing.objectId, home.all("Mug")[0].objectId),
        Refusal(Verb.TOGGLE_ON, thing.objectId),
        *(Refusal(Verb.PICKUP, mug.objectId) for mug in home.all("Mug")),
    ]
    if kind != "Mug":
        refused = refused[:2]
    worse = Home(home.snapshot, refused)
    aims = aims_in(worse, "Coffee")
    if not aims.lacking:
        solution = solve(write_problem(worse, aims))
        assert solution.verdict is Verdict.UNSOLVABLE
        assert solution.out_of_reach


def test_a_refused_object_gives_way_to_another():
    home = home_of()
    first = aims_in(home, "Sliced X", "Tomato")
    whole = first.pieces[0].whole
    worse = Home(home.snapshot, [Refusal(Verb.SLICE, whole, "knife")])
    second = aims_in(worse, "Sliced X", "Tomato")
    assert second.lacking or second.pieces[0].whole != whole


def test_an_earlier_choice_is_kept():
    home = home_of()
    plates = home.all("Plate", "Bowl", "Mug", "Pot", "Pan", "Cup")
    task = ("Put All X On Y", "Knife", "in", "Tables")
    assert aims_in(home, *task).chosen == aims_in(home, *task).chosen
    assert plates
    tables = [t for t in home.all() if "Tables" in (t.simbotObjectClass or ())]
    knife = home.all("Knife")[0].objectId
    for table in tables:
        before = {f"{knife}>": table.objectId}
        kept = dict(aims_in(home, *task, before=before).chosen)
        assert kept[f"{knife}>"] == table.objectId


def test_slices_are_cut_first_and_dishes_laid_before_they_are_served():
    aims = aims_in(home_of(), "N Slices Of X In Y", "2", "Tomato", "on", "Plate")
    assert [group[0][0] for group in aims.agenda] == ["cut", "clean", "in", "in"]
    assert len({piece.token for piece in aims.pieces}) == 2
    assert {atom for group in aims.agenda for atom in group} == set(aims.goal)


def test_too_much_is_said_to_be_lacking():
    aims = aims_in(home_of(), "N Slices Of X In Y", "99", "Tomato", "on", "Plate")
    assert aims.lacking == ("too few TomatoSliced that could serve",)
