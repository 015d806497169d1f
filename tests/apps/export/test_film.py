"""A session as a film: a frame a step, as GIF and as MP4."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from tatc.apps.export.film import (
    AGENT_COLOURS,
    FAILURE_COLOUR,
    SUCCESS_COLOUR,
    TEXT_COLOUR,
    Film,
    Overlay,
    encode_gif,
    encode_mp4,
)
from tatc.home.actions import Click, Role
from tatc.home.camera.room_bounds import room_bounds_of
from tatc.session.timeline import Timeline
from tatc.sim.top_view.plan_model import PlanAgents

SIZE = 96
SPAN = range(4, 12)


@pytest.fixture(scope="module")
def film(timeline: Timeline) -> Film:
    return Film(timeline, SIZE)


def _has(frame: Image.Image, colour: tuple[int, int, int]) -> bool:
    """Whether a colour is in a frame, nearly: thin letters are smoothed."""
    apart = np.abs(np.asarray(frame).astype(int) - colour).sum(-1)
    return bool(apart.min() < 60)


def test_a_gif_shows_each_step_for_its_time_and_rests_on_the_last(film: Film):
    data = encode_gif(film, SPAN, SPAN, fps=5)
    with Image.open(BytesIO(data)) as file:
        assert (file.format, file.size) == ("GIF", film.frame_size)
        times: list[int] = []
        for i in range(getattr(file, "n_frames")):  # noqa: B009 - not in its type
            file.seek(i)
            times.append(file.info["duration"])
            assert _has(file.convert("RGB"), TEXT_COLOUR)
    # Steps that look the same share a frame for the time of all of them.
    assert sum(times) == 200 * (len(SPAN) - 1) + 2000 and times[-1] >= 2000
    assert data == encode_gif(film, SPAN, SPAN, fps=5)
    with Image.open(BytesIO(encode_gif(film, [0], range(1), fps=5))) as file:
        assert file.size == film.frame_size


def test_an_mp4_has_a_frame_a_step(film: Film):
    av = pytest.importorskip("av", reason="needs the extra: video")
    data = encode_mp4(film, SPAN, fps=5)
    with av.open(BytesIO(data)) as file:
        [stream] = file.streams
        assert (stream.width, stream.height) == film.frame_size
        assert stream.codec_context.name == "h264" and stream.average_rate == 5
        frames = [each.to_ndarray(format="rgb24") for each in file.decode(stream)]
    assert len(frames) == len(SPAN)
    for step, seen in zip(SPAN, frames, strict=True):
        drawn = np.asarray(film.frame(step), np.float64)
        assert np.abs(drawn - seen).mean() < 12  # what lossy colours leave


def test_a_frame_depends_on_its_step_alone(timeline: Timeline, film: Film):
    """Pictures are kept from step to step; the order of drawing changes nothing."""
    backwards = {step: film.frame(step) for step in reversed(SPAN)}
    for step, frame in backwards.items():
        fresh = Film(timeline, SIZE).frame(step)
        assert fresh.tobytes() == frame.tobytes(), step


def test_frames_show_both_agents_and_what_came_of_it(timeline: Timeline, film: Film):
    assert any(moment.failed for moment in timeline.moments)
    for moment in timeline.moments:
        if moment.failed:
            frame = film.frame(moment.index)
            assert _has(frame, FAILURE_COLOUR)
            assert all(_has(frame, colour) for colour in AGENT_COLOURS.values())
    last = timeline.moments[-1]
    assert last.progress.success and _has(film.frame(last.index), SUCCESS_COLOUR)


def test_a_click_is_ringed_where_it_fell():
    plain = Image.new("RGB", (SIZE, SIZE), (200, 200, 200))
    marks = Overlay(SIZE)
    marks.draw_click(Click(0.25, 0.75), success=False)
    drawn = np.asarray(marks.draw_over(plain))
    rows, columns = np.nonzero((drawn == FAILURE_COLOUR).all(-1))
    assert abs(columns.mean() - SIZE / 4) < 1 and abs(rows.mean() - SIZE * 3 / 4) < 1
    assert (drawn[SIZE * 3 // 4, SIZE // 4] == 200).all()  # what was met stays seen


def test_agents_stand_on_the_map_where_the_map_shows_their_place(timeline: Timeline):
    now = timeline.moments[0].snapshot
    bounds = room_bounds_of(now.objects)
    plain = Image.new("RGB", (SIZE, SIZE), (200, 200, 200))
    marks = Overlay(SIZE)
    marks.draw_agents(PlanAgents(now.follower, now.commander), bounds)
    drawn = np.asarray(marks.draw_over(plain))
    rows, columns = np.nonzero((drawn == AGENT_COLOURS[Role.FOLLOWER]).all(-1))
    (x0, _, z0), (x1, _, z1) = bounds.low, bounds.high
    metres = max(x1 - x0, z1 - z0) / SIZE
    x = (x0 + x1) / 2 + (columns.mean() - SIZE / 2) * metres
    z = (z0 + z1) / 2 - (rows.mean() - SIZE / 2) * metres
    assert abs(x - now.follower.position[0]) < 0.25
    assert abs(z - now.follower.position[2]) < 0.25
