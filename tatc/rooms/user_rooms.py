"""The user's own rooms: files in tatc's data folder, by their names."""

from pathlib import Path

from platformdirs import user_data_path


def user_rooms_folder() -> Path:
    """Return where the user's rooms lie, whether or not there are any yet."""
    return user_data_path("tatc") / "rooms"


def user_rooms() -> dict[str, Path]:
    """Return the user's room files by the names of their rooms, in name order."""
    folder = user_rooms_folder()
    found = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {path.name.removesuffix(".json"): path for path in found}
