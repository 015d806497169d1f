"""Which objects water in a basin hides."""

import pytest

from tatc.home.containment import faucets_running, is_under_water
from tests.sim.box_kitchen import make_object, snapshot_of, with_parents

BASIN = make_object("SinkBasin", (0, 0.8, 1), (0.5, 0.15, 0.4))
FAUCET = make_object("Faucet", (0, 1.1, 1.2), (0.05, 0.2, 0.05), isToggled=True)


@pytest.mark.parametrize(
    ("kind", "height", "hidden"),
    [("Knife", 0.03, True), ("Knife", 0.05, False), ("Plate", 0.11, True), ("Mug", 0.1, False)],
)
def test_water_hides_what_is_lower_than_it(kind: str, height: float, hidden: bool):
    obj = make_object(kind, (0, 0.805, 1), (0.1, height, 0.1))
    inside, beside = with_parents(obj, BASIN), with_parents(obj, FAUCET)
    now = snapshot_of(BASIN, FAUCET, inside)
    assert is_under_water(inside, now, faucets_running(now)) is hidden
    assert not is_under_water(beside, now, faucets_running(now))
    assert not is_under_water(inside, now, ())


def test_water_hides_its_basin_until_it_is_turned_off():
    now = snapshot_of(BASIN, FAUCET)
    ran = faucets_running(now)
    assert ran == {FAUCET.objectId}
    assert is_under_water(BASIN, now, ran)
    off = FAUCET.with_values(isToggled=False)
    assert not is_under_water(BASIN, snapshot_of(BASIN, off), ran)
    assert not is_under_water(FAUCET, now, ran)
