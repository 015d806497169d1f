"""Followers that read dialogue by a language model in place of their own reading.

A Follower can if its class takes `read`, a function from utterances to an understanding; then its
`understood_by` says which readings a session used.
"""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

from tatc.errors import BadInput
from tatc.follower import Follower
from tatc.llm import ModelSettings, chat_client
from tatc.understanding.model_reader import ModelReader

_READER_PARAMETER = "read"


def check_reads(made: Any, name: str) -> None:
    """Check that a Follower's class, or what makes one, takes a reader of dialogue.

    Raises:
        BadInput: it does not.

    """
    found: Any = getattr(made, "func", made)  # of a partial
    if not isinstance(found, type) or _READER_PARAMETER not in signature(found).parameters:
        why = f"the Follower {name} reads no dialogue that a model could read"
        raise BadInput(why, where="--model", fix="leave it out, or name --follower listener or llm")


def with_model(
    made: Callable[..., Follower], name: str, settings: ModelSettings
) -> Callable[[], Follower]:
    """Return what makes a Follower whose dialogue a model reads.

    Raises:
        BadInput: it takes no reader, or the settings are wrong.

    """
    check_reads(made, name)
    # A listener with a file of the user's own has a memory.
    memory = getattr(getattr(made, "func", made), "memory", None)
    return partial(made, read=ModelReader(chat_client(settings), memory))


def understanding_used(follower: object) -> str:
    """Return which readings a Follower's session used, "" where no model was asked."""
    return str(getattr(follower, "understood_by", ""))
