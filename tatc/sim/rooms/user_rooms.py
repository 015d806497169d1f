"""The user's own rooms: files in tatc's data folder, found by name."""

from pathlib import Path

from platformdirs import user_data_path


def user_rooms_folder() -> Path:
    """Return the folder of the user's rooms, which may not exist yet."""
    return user_data_path("tatc") / "rooms"


def user_rooms(folder: Path | None = None) -> dict[str, Path]:
    """Return the paths of the user's room files by room name, sorted by name.

    With a folder, they are the room files there.
    """
    folder = folder or user_rooms_folder()
    found = sorted(folder.glob("*.json")) if folder.is_dir() else []
    return {path.name.removesuffix(".json"): path for path in found}
