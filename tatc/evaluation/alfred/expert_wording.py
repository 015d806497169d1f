"""Words for generated trajectories: a goal sentence, and a directive for each subgoal."""

from tatc.evaluation.alfred.expert_subgoals import ExpertSubgoal
from tatc.home.state import ObjectState
from tatc.language.object_names import words_for_type
from tatc.session.records.trajectory_task import TaskType, TrajectoryTask

_GOALS = {
    TaskType.LOOK: "Hold the {object} and switch the {toggle} on.",
    TaskType.SIMPLE: "Put a {object} in or on a {receptacle}.",
    TaskType.MOVABLE: "Put a {object} in a {movable}, and that in or on a {receptacle}.",
    TaskType.CLEAN: "Put a clean {object} in or on a {receptacle}.",
    TaskType.HEAT: "Put a heated {object} in or on a {receptacle}.",
    TaskType.COOL: "Put a cooled {object} in or on a {receptacle}.",
    TaskType.TWO: "Put two of the {object} in or on one {receptacle}.",
}
_STEPS = {
    "GotoLocation": "Go to the {place}.",
    "PickupObject": "Pick up the {target}.",
    "PutObject": "Put the {held} in or on the {target}.",
    "SliceObject": "Slice the {target}.",
    "ToggleObject": "Switch the {target} on.",
    "HeatObject": "Heat the {held} in the {target}.",
    "CoolObject": "Cool the {held} in the {target}.",
    "CleanObject": "Rinse the {held} in the {target}.",
}


def goal_sentence(task: TrajectoryTask) -> str:
    """Return a task as a sentence."""
    types = {name: words_for_type(kind) for name, kind in task.parameters.items()}
    return _GOALS[task.type].format(**types)


def directive(subgoal: ExpertSubgoal) -> str:
    """Return a subgoal as a sentence."""
    main = subgoal.main
    return _STEPS[subgoal.kind].format(
        target=_words(main.target), held=_words(main.held), place=_words(main.place or main.target)
    )


def _words(obj: ObjectState | None) -> str:
    return "thing" if obj is None else words_for_type(obj.objectType)
