"""The task definition language: load tasks, fill their parameters, check progress.

    library = load_library()
    task = library.compile("Coffee")
    progress = task.check(snapshot)

Nothing here acts, has a clock or draws at random but by a seed that is given.
"""

from tatc.tdl.classes import assign_classes
from tatc.tdl.definition import Kind, Parameter, TaskDefinition
from tatc.tdl.draw import draw_params
from tatc.tdl.edh import edh_task
from tatc.tdl.library import Library, load_library, shipped_library
from tatc.tdl.parameters import check_params, named_params
from tatc.tdl.progress import ProblemKey, Progress, Step, Subgoal
from tatc.tdl.task import Task

__all__ = [
    "Kind",
    "Library",
    "Parameter",
    "ProblemKey",
    "Progress",
    "Step",
    "Subgoal",
    "Task",
    "TaskDefinition",
    "assign_classes",
    "check_params",
    "draw_params",
    "edh_task",
    "load_library",
    "named_params",
    "shipped_library",
]
