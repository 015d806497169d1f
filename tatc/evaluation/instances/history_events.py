"""What was said and done before the prediction of an instance starts."""

from collections.abc import Callable

from tatc.evaluation.instances.edh_segments import SPEECH_VERBS, is_world_action
from tatc.follower import HistoryEvent, PastAction
from tatc.home.actions import INTERACTION_VERBS, Role, Utterance
from tatc.session.records import Instance
from tatc.tdl.edh import type_of_object_id


def unanswered_utterances(instance: Instance) -> tuple[Utterance, ...]:
    """Return what the Commander said that nothing was done about yet, the last words at least."""
    said = [each for each in instance.dialogue if each.speaker is Role.COMMANDER]
    if not instance.history:
        return tuple(said)
    new = 0
    for each in instance.history:
        if is_world_action(each):
            new = 0
        elif each.role is Role.COMMANDER and each.verb in SPEECH_VERBS:
            new += 1
    return tuple(said[-max(new, 1) :])


def history_events(
    instance: Instance, number_of: Callable[[str], int | None] = lambda object_id: None
) -> tuple[HistoryEvent, ...]:
    """Return what was said and done before the prediction starts, the oldest first.

    Without a history this is the dialogue alone.  `number_of` gives objects their numbers in
    views, by their ids in the history.
    """
    if not instance.history:
        return instance.dialogue
    found: list[HistoryEvent] = []
    for each in instance.history:
        if each.verb in SPEECH_VERBS:
            found.append(Utterance(each.role, each.text, each.time))
        elif is_world_action(each):
            met = each.object_id if each.verb in INTERACTION_VERBS else None
            found.append(
                PastAction(each.verb)
                if met is None
                else PastAction(each.verb, type_of_object_id(met), number_of(met))
            )
    return tuple(found)
