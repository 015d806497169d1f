"""Which format a file is exported in."""

from pathlib import Path

import pytest

from tatc.apps.export import ExportFormat, export_format_of
from tatc.base.errors import BadInput, UnknownName


@pytest.mark.parametrize("wanted", ExportFormat)
def test_the_suffix_chooses_the_format(wanted: ExportFormat):
    assert export_format_of(Path(f"film.{wanted.value}")) is wanted
    assert export_format_of(Path(f"film.{wanted.value.upper()}")) is wanted


def test_a_named_format_wins_over_the_suffix():
    assert export_format_of(Path("film.gif"), "mp4") is ExportFormat.MP4


def test_unknown_formats_and_suffixes_are_refused_with_a_choice():
    with pytest.raises(UnknownName, match="gif"):
        export_format_of(Path("film.gif"), "giff")
    with pytest.raises(BadInput, match=r"'\.avi'.*--format: gif, mp4"):
        export_format_of(Path("film.avi"))
