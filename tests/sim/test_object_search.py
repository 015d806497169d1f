"""The Commander's search: which object, and a camera that is aimed at it."""

import pytest

from tatc.home.actions import Verb
from tatc.home.state import Scene
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.object_search import find_object, name_similarity, search_views
from tests.sim.box_kitchen import kitchen


@pytest.fixture(scope="module")
def scene() -> Scene:
    return kitchen()


def test_the_type_most_like_the_words_is_found(scene: Scene) -> None:
    for kind in {obj.objectType for obj in scene.initial.objects}:
        found = find_object(scene.initial, Verb.SEARCH_OBJECT, kind)
        assert found is not None and found.objectType == kind
    assert name_similarity("Mug", "Mug") == 100 and name_similarity("Mug", "xyz") == 0
    for words in ("", "???"):
        assert find_object(scene.initial, Verb.SEARCH_OBJECT, words) is None


def test_what_is_held_is_not_searched_among(scene: Scene) -> None:
    held = kitchen(Mug={"isPickedUp": True}).initial
    found = find_object(held, Verb.SEARCH_OBJECT, "Mug")
    assert found is None or found.objectType != "Mug"


def test_an_object_is_selected_by_its_id(scene: Scene) -> None:
    first = scene.initial.objects[0]
    assert find_object(scene.initial, Verb.SELECT_OID, first.objectId) is first
    assert find_object(scene.initial, Verb.SELECT_OID, "Mug|none") is None


def test_the_camera_faces_what_it_shows(scene: Scene) -> None:
    cells = WalkableGrid.from_scene(scene).reachable()
    for obj in scene.initial.objects:
        for look in search_views(scene.initial, obj, cells):
            assert look.eye.yaw in (0.0, 90.0, 180.0, 270.0)
            assert look.eye.position[1] == 1.8
            assert look.target.objectType != "Floor"


def test_without_a_place_to_stand_there_is_no_view(scene: Scene) -> None:
    assert not list(search_views(scene.initial, scene.initial.objects[0], ()))
