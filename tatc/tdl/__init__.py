"""The task definition language: load tasks, fill their parameters, check progress.

    library = load_library()
    task = library.compile("Coffee")
    progress = task.check(snapshot)

Nothing here acts in a world or reads a clock, and random draws use only a given seed.
"""

from tatc.tdl.definition import (
    Parameter as Parameter,
    ParameterKind as ParameterKind,
    TaskDefinition as TaskDefinition,
)
from tatc.tdl.edh import edh_task as edh_task
from tatc.tdl.parameters import (
    parse_params as parse_params,
    sample_params as sample_params,
    validate_params as validate_params,
)
from tatc.tdl.progress import (
    ProblemKey as ProblemKey,
    Progress as Progress,
    Subgoal as Subgoal,
    SubgoalStep as SubgoalStep,
)
from tatc.tdl.properties import assign_classes as assign_classes
from tatc.tdl.task import FREE_PLAY as FREE_PLAY, Task as Task
from tatc.tdl.task_library import (
    TaskLibrary as TaskLibrary,
    load_library as load_library,
    shipped_library as shipped_library,
)
