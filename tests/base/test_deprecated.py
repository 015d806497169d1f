"""Notices of what is deprecated: what they say, and that it stays long enough."""

import re
from pathlib import Path

from tatc.base.deprecated import deprecation_notice


def test_a_notice_names_the_releases_and_the_replacement() -> None:
    notice = deprecation_notice("--old", since="0.2", remove_in="0.4", use="--new")
    assert notice == "--old is deprecated since 0.2 and will be removed in 0.4: use --new"


def test_what_is_deprecated_stays_for_two_minor_releases() -> None:
    sources = (Path(__file__).parents[2] / "tatc").rglob("*.py")
    pattern = re.compile(r'since="0\.(\d+)",\s+remove_in="0\.(\d+)"')
    for path in sources:
        for since, removed in pattern.findall(path.read_text("utf-8")):
            assert int(removed) >= int(since) + 2, path
