"""TEACh's Two-Agent Task Completion as an environment of verifiers, with two trainable seats.

verifiers finds the taskset, the environment and the harness by what this package exports.
"""

from tatc_teach.env import TeachEnv, load_environment
from tatc_teach.harness import OneAnswerHarness
from tatc_teach.taskset import TeachTaskset

__all__ = ["OneAnswerHarness", "TeachEnv", "TeachTaskset", "load_environment"]
