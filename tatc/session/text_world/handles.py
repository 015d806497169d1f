"""Handles: how an object is called in text, by its type and a number."""

import re

_HANDLE = re.compile(r"([A-Z][A-Za-z0-9]*)_([1-9][0-9]{0,5})")


def handle_of(object_type: str, number: int) -> str:
    """Return the handle of an object, such as "Mug_3"."""
    return f"{object_type}_{number}"


def number_of_handle(handle: str) -> int | None:
    """Return the number in a handle; None for what is no handle."""
    found = _HANDLE.fullmatch(handle)
    return None if found is None else int(found[2])
