"""Cells of the floor grid: one rounding for every pose that a body can have."""

from hypothesis import given, strategies as st

from tatc.home.actions import GRID_SIZE_METRES, cell_of

cells = st.tuples(st.integers(-4000, 4000), st.integers(-4000, 4000))
offsets = st.floats(-0.1249, 0.1249)  # metres: nearer to this cell than to any other


@given(cells, offsets, offsets)
def test_every_pose_near_a_cell_lies_in_it(cell, dx, dz):
    x, z = cell
    assert cell_of(x * GRID_SIZE_METRES + dx, z * GRID_SIZE_METRES + dz) == cell


@given(cells)
def test_halfway_goes_to_the_higher_cell_wherever_it_lies(cell):
    x, z = cell
    half = GRID_SIZE_METRES / 2
    at = cell_of(x * GRID_SIZE_METRES + half, z * GRID_SIZE_METRES + half)
    assert at == (x + 1, z + 1)


@given(cells, st.integers(1, 400))
def test_steps_added_one_by_one_stay_on_the_grid(cell, steps):
    x = cell[0] * GRID_SIZE_METRES
    for _ in range(steps):
        x += GRID_SIZE_METRES
    assert cell_of(x, 0.0) == (cell[0] + steps, 0)
