"""All words of the text world, from `wording.json`, with their version and hash."""

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from tatc.base import files
from tatc.home.actions import Role

TEXT_WORLD_VERSION = "5"
"""The version of the text interface; what a model reads changes only with a new version."""


def wording() -> Mapping[str, Any]:
    """Return the content of `wording.json`."""
    return files.package_table("tatc.session.text_world", "wording.json")


_BY_OPTION = ("probes", "thoughts")


@cache
def wording_hash() -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of all words, in any order of keys."""
    # A session without probes and thoughts is the same with and without their words.
    played = {name: words for name, words in wording().items() if name not in _BY_OPTION}
    text = json.dumps(played, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:12]


@cache
def phrase(section: str, name: str) -> str:
    """Return a phrase, with its fields in braces."""
    return wording()[section][name]


def refusal(name: str, /, **fields: object) -> str:
    """Return the words of a refusal."""
    return phrase("refusals", name).format(**fields)


def server_words(name: str, /, **fields: object) -> str:
    """Return what a server of sessions says itself."""
    return phrase("servers", name).format(**fields)


def rules_for(role: Role) -> str:
    """Return the rules of the game for an agent: what a model is told before it begins."""
    return wording()["rules"]["follower" if role is Role.FOLLOWER else "commander"]
