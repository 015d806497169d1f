"""The task definition language: load tasks, fill their parameters, check progress.

    library = load_library()
    task = library.compile("Coffee")
    progress = task.check(snapshot)

Nothing here acts in a world or reads a clock, and random draws use only a given seed.
"""

from tatc.tdl.definition import Parameter, ParameterKind, TaskDefinition
from tatc.tdl.edh import edh_task
from tatc.tdl.parameters import parse_params, sample_params, validate_params
from tatc.tdl.progress import ProblemKey, Progress, Subgoal, SubgoalStep
from tatc.tdl.properties import assign_classes
from tatc.tdl.task import FREE_PLAY, Task
from tatc.tdl.task_library import TaskLibrary, load_library, shipped_library

__all__ = ["FREE_PLAY", "Parameter", "ParameterKind", "ProblemKey", "Progress", "Subgoal"]
__all__ += ["SubgoalStep", "Task", "TaskDefinition", "TaskLibrary", "assign_classes", "edh_task"]
__all__ += ["load_library", "parse_params", "sample_params", "shipped_library", "validate_params"]
