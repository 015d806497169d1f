"""What a Follower that takes a session over learns from what was in view before."""

from collections.abc import Iterable

from tatc.follower import PastAction
from tatc.follower.listener.expected_effects import expect_effects, expect_running
from tatc.follower.listener.exploration import Explorer
from tatc.follower.listener.met_objects import id_of_number, id_of_unseen
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import Verb
from tatc.home.percepts import View


def see_past(
    belief: SemanticMap, explorer: Explorer, past: Iterable[PastAction], views: Iterable[View]
) -> None:
    """Take in what was in view before each past action, and what each should have changed."""
    for done, view in zip(past, views, strict=False):
        belief.see(view)
        expect_running(belief)
        explorer.note_view()
        object_id = id_of_number(belief, done.number)
        if object_id is None and done.verb is Verb.PICKUP and done.object_type is not None:
            object_id = id_of_unseen(belief, done.object_type, done.number)
        if object_id is not None:
            expect_effects(belief, done.verb, object_id, None)
