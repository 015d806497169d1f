"""Deprecated functions warn once, at the caller, and work as before."""

import re
import warnings
from pathlib import Path

import pytest

from tatc.base.deprecated import deprecated, deprecation_notice

NOTICE = "is deprecated since 0.2 and will be removed in 0.4: use tatc.evaluate"


def test_a_deprecated_function_warns_once_and_works() -> None:
    @deprecated(since="0.2", remove_in="0.4", use="tatc.evaluate")
    def double(number: int, *, plus: int = 0) -> int:
        """Double a number."""
        return 2 * number + plus

    with pytest.warns(DeprecationWarning, match=re.escape(f"double {NOTICE}")) as warned:
        assert double(2, plus=1) == 5
    assert warned[0].filename == __file__  # the caller's line, not that of the helper
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert double(3) == 6
    assert (double.__name__, double.__doc__) == ("double", "Double a number.")


def test_a_notice_names_the_releases_and_the_replacement() -> None:
    notice = deprecation_notice("--old", since="0.2", remove_in="0.4", use="--new")
    assert notice == "--old is deprecated since 0.2 and will be removed in 0.4: use --new"


def test_what_is_deprecated_stays_for_two_minor_releases() -> None:
    sources = (Path(__file__).parents[2] / "tatc").rglob("*.py")
    pattern = re.compile(r'since="0\.(\d+)",\s+remove_in="0\.(\d+)"')
    for path in sources:
        for since, removed in pattern.findall(path.read_text("utf-8")):
            assert int(removed) >= int(since) + 2, path
