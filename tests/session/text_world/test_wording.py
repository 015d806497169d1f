"""What a model reads changes only with a new version."""

from hashlib import sha256

from tatc.home.actions import Role
from tatc.session.text_world.wording import TEXT_WORLD_VERSION, wording, wording_hash
from tatc.session.tool_session import ToolSession
from tests.session.text_world.sessions import opening

HASH_BY_VERSION = {
    "1": "7b49e2f5aa59",
    "2": "b52cf8f93a6d",
    "3": "2931c3b00003",
    "4": "5ed4b4e61fb6",
    "5": "9bbb05ec3eb7",
}
"""The hash of the words of each version; a new wording is a new row, and a new version."""
READ_BY_VERSION = {**dict.fromkeys("123", "fdd289489120"), "4": "6c951c9ab4b9", "5": "5b335557233a"}
"""The hash of what both agents read in one short session: words, and how they are put together."""

CALLS = [
    (Role.FOLLOWER, "look", {"direction": "up"}),
    (Role.FOLLOWER, "move", {"direction": "left", "times": 2}),
    (Role.FOLLOWER, "open", {"object": "Cabinet_12"}),
    (Role.FOLLOWER, "pick_up", {"object": "Fork_7"}),
    (Role.FOLLOWER, "say", {"words": "What is next?"}),
    (Role.COMMANDER, "check", {}),
    (Role.COMMANDER, "search", {"type": "Mug"}),
    (Role.COMMANDER, "map", {}),
    (Role.COMMANDER, "tell", {"action": "open", "object": "Mug_1"}),
    (Role.COMMANDER, "say", {"words": "Find a mug."}),
]


def test_the_words_of_a_version_stay() -> None:
    assert wording()["version"] == TEXT_WORLD_VERSION
    assert HASH_BY_VERSION[TEXT_WORLD_VERSION] == wording_hash()


def test_the_texts_of_a_version_stay() -> None:
    session = ToolSession(opening(), plays=tuple(Role))
    texts = [session.text(Role.FOLLOWER), *(session.call(*call) for call in CALLS)]
    texts.append(session.text(Role.FOLLOWER))
    digest = sha256("\n\n".join(texts).encode()).hexdigest()[:12]
    assert READ_BY_VERSION[TEXT_WORLD_VERSION] == digest


def test_a_record_names_the_version_and_the_hash() -> None:
    session = ToolSession(opening())
    session.call(Role.FOLLOWER, "turn", {"direction": "left"})
    options = dict(session.record().options)
    assert options["text_world"] == f"{TEXT_WORLD_VERSION} {wording_hash()}"
    assert options["follower"] == "tools"
