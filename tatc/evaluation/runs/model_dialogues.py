"""The dialogues that a language model would read in a run, for an estimate before it is run."""

from collections.abc import Iterator

from tatc.base.errors import BadInput
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.instance_runner import read_heard_instance
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.home.actions import Utterance


def dialogues_for_model(
    selection: SessionSelection, options: EvalOptions
) -> Iterator[tuple[Utterance, ...]]:
    """Yield what the model would read in each instance, rounds of feedback left out.

    A Follower that takes over in the midst reads the newest words once more by themselves; they
    are yielded as the whole dialogue again, so that the estimate is rather too high.
    """
    if options.kind == TATC:
        why = "nobody knows the words of a session before it runs"
        raise BadInput(why, fix="leave out --dry-run; --max-tokens limits what is sent")
    for job in selection.jobs:
        instance = read_heard_instance(job, options.dialogue)
        yield instance.dialogue
        if instance.history:
            yield instance.dialogue
