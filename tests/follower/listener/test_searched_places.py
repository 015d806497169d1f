"""Places are tried a few times, and those that cannot be reached yet are tried again later."""

from tatc.follower.listener.searched_places import (
    MAX_TRIES_PER_PLACE,
    MAX_VAIN_PLANS,
    SearchedPlaces,
)
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Action, Role, Verb
from tatc.planners.snapshot_view import has_door
from tests.follower.listener.homes import Home, looked_around, opening


def _ranked(places: SearchedPlaces) -> list[str]:
    return [obj.objectId for obj in places.ranked(())]


def test_a_place_without_a_way_is_tried_again_when_more_floor_is_known() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    belief.see(home.view())
    places = SearchedPlaces(belief)
    first = places.ranked(())[0]
    places.note_vain_plan(first)
    assert first.objectId not in _ranked(places)
    home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    belief.see(home.view())
    assert first.objectId in _ranked(places)
    for _ in range(MAX_VAIN_PLANS):
        places.note_vain_plan(first)
    home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    belief.see(home.view())
    assert first.objectId not in _ranked(places)


def test_a_place_is_tried_a_few_times_only_unless_each_look_shows_more_of_it() -> None:
    places = SearchedPlaces(looked_around()[1])
    first = places.ranked(())[0]
    for _ in range(MAX_TRIES_PER_PLACE):
        assert first.objectId in _ranked(places)
        places.note_try(first)
    assert first.objectId not in _ranked(places)
    places.start_over()
    assert first.objectId in _ranked(places)


def test_a_second_search_remembers_what_was_in_view_and_wants_all_of_it() -> None:
    home, belief = Home(opening("coffee").scene), SemanticMap()
    places = SearchedPlaces(belief)
    for _ in range(4):
        belief.see(home.view())
        places.note_view()
        home.sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    before = _ranked(places)
    seen = {obj.objectId: places.coverage_of(obj) for obj in belief.objects}
    done = [
        name for name, each in seen.items() if each is not None and 0.0 < each.unseen_share < 0.2
    ]
    assert done
    assert not set(done) & set(before)
    places.start_over()
    assert set(done) <= set(_ranked(places))
    assert {obj.objectId: places.coverage_of(obj) for obj in belief.objects} == seen


def test_a_place_whose_door_shut_the_follower_in_is_searched_last() -> None:
    places = SearchedPlaces(looked_around()[1])
    before = [obj.objectId for obj in places.ranked(()) if obj.objectType != "Drawer"]
    places.put_last(before[0])
    after = [obj.objectId for obj in places.ranked(()) if obj.objectType != "Drawer"]
    assert after == [*before[1:], before[0]]


def test_what_cannot_be_carried_is_looked_for_on_surfaces_and_behind_no_door() -> None:
    places = SearchedPlaces(looked_around()[1])
    for_both, for_fixed = places.ranked(("Blinds", "Mug")), places.ranked(("Blinds", "Toaster"))
    shut = [obj.objectId for obj in for_both if has_door(obj)]
    assert shut
    fixed = {obj.objectId for obj in for_fixed}
    assert fixed == {obj.objectId for obj in for_both} - {*shut}
    assert fixed
