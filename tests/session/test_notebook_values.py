"""What a notebook shows of a session: one line of text, a short table, a film strip."""

from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

import tatc
from tatc.session.records import Record
from tatc.session.timeline.timeline import FRAME_PIXELS, FRAMES, telling_moments


@pytest.fixture(scope="module")
def record() -> Record:
    return tatc.run("coffee", room="kitchen-01", noise=0.2)


def test_values_are_one_short_line_each(record: Record) -> None:
    timeline = record.show()
    moment = timeline.moments[-1]
    for value in (record, timeline, moment, record.decisions[0], moment.snapshot, timeline.start):
        assert "\n" not in repr(value) and len(repr(value)) < 400, repr(value)
    assert repr(moment).endswith(f"of {record.gc_total} met>")
    assert repr(record.decisions[0]).startswith("<RecordedDecision at 2: Mug")


def test_a_film_strip_shows_the_start_the_end_and_what_failed(record: Record) -> None:
    timeline = record.show()
    shown = telling_moments(timeline.moments)
    assert shown[0] == 0 and shown[-1] == len(timeline.moments) - 1 and len(shown) <= FRAMES
    failed = [each.index for each in timeline.moments if each.failed]
    assert failed and failed[0] in shown
    html = timeline._repr_html_()
    images = [part.partition('"')[0] for part in html.split("data:image/webp;base64,")[1:]]
    assert len(images) == len(shown) and len(html) < 100_000
    assert Image.open(BytesIO(b64decode(images[0]))).size == (FRAME_PIXELS, FRAME_PIXELS)
    assert f"{failed[0]}: " in html and ", failed" in html


def test_records_and_decisions_are_tables_of_what_was_said_and_why(record: Record) -> None:
    html = record._repr_html_()
    assert html.startswith("<table>") and "What should I do next?" in html
    decision = record.decisions[0]
    assert all(words in decision._repr_html_() for words in (decision.policy, decision.wanted()))


def test_a_record_is_a_table_of_pandas(record: Record) -> None:
    pytest.importorskip("pandas", reason="needs pandas")
    table = record.to_dataframe()
    assert len(table) == len(record.interactions)
    assert table["success"].eq(False).sum() >= record.failed_action_count
