"""The hand-made session, for the commands that read games and records."""

from tests.session.records.conftest import document, game_file

__all__ = ["document", "game_file"]
