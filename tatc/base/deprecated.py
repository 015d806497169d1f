"""Deprecated names: they warn, and go as `docs/reference/versions.md` says."""


def deprecation_notice(name: str, *, since: str, remove_in: str, use: str) -> str:
    """Return the sentence that says since when a name is deprecated and what replaces it.

    `since` is the release that deprecates it, such as "0.2", and `remove_in` the one that removes
    it, two minor releases later; `use` is what to use instead.
    """
    return f"{name} is deprecated since {since} and will be removed in {remove_in}: use {use}"
