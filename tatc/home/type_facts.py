"""The table of object-type facts: one column for each fact, with its source below it.

Sources are AI2-THOR's rules (version 3.1.0, in which TEACh was recorded), TEACh's rules ("spec
section N"), counts in recorded games, and our own choices.  "Starts" and "ends" are the first and
last states of TEACh's train games; counts are those of the 1,274 games whose floor plans are not
set aside for evaluation.  A set of types is a column of yes and no; a mapping gives a value for the
types it names and nothing for the others.  Tuples are ordered where the order means something.
The columns of types, with their sources, stand in `type_facts.toml`, numbers in
`type_numbers.toml`.
"""

from typing import Any

from tatc.base import files

_TYPES: dict[str, Any] = files.package_table("tatc.home", "type_facts.toml")
_NUMBERS = files.package_table("tatc.home", "type_numbers.toml")


def _types(column: str) -> frozenset[str]:
    """Return the types of a column of the table."""
    return frozenset(_ordered(column))


def _ordered(column: str) -> tuple[str, ...]:
    return tuple(_TYPES[column].split())


# ---- Single types that many rules name

FLOOR_TYPE, COUNTER_TYPE = "Floor", "CounterTop"
BURNER_TYPE, KNOB_TYPE = "StoveBurner", "StoveKnob"

# ---- Knives and food

KNIFE_TYPES = _ordered("knife")
SLICE_TYPE_BY_WHOLE = {whole: f"{whole}Sliced" for whole in _ordered("cut_into_slices")}
CRACKED_TYPE_BY_WHOLE = {"Egg": "EggCracked"}
"""What is cracked instead of cut; it gives one piece (AI2-THOR's rule)."""
PIECE_TYPE_BY_WHOLE = {**SLICE_TYPE_BY_WHOLE, **CRACKED_TYPE_BY_WHOLE}
WHOLE_TYPE_BY_PIECE = {piece: whole for whole, piece in PIECE_TYPE_BY_WHOLE.items()}
SLICE_TYPES = frozenset(SLICE_TYPE_BY_WHOLE.values())
PIECE_SUFFIXES = ("Sliced", "Cracked")
"""What task definitions append to a whole food's type (spec section 3.5)."""
MIN_PIECES_BY_WHOLE: dict[str, int] = _NUMBERS["min_pieces"]
COOKABLE_PIECE_TYPES = _types("cookable_piece")
TOASTED_TYPES = _types("toasted")

# ---- Heat, cold and water

HEAT_SOURCE_TYPES = _ordered("heat_source")
BOILING_HEAT_TYPES = _ordered("boiling_heat")
COLD_SOURCE_TYPES = _types("cold_source")
COOKING_VESSEL_TYPES = _ordered("cooking_vessel")
BOILING_VESSEL_TYPES = _ordered("boiling_vessel")
WATER_SOURCE_TYPES = _ordered("water_source")
BASIN_TYPE_BY_SINK = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
"""AI2-THOR's two objects for one fixture; TEACh takes either for the other (spec section 3.4)."""
BASIN_TYPES = tuple(BASIN_TYPE_BY_SINK.values())
SINK_TYPES = _ordered("sink")

# ---- Receptacles: what they take

ACCEPTED_TYPES = {kind: frozenset(taken.split()) for kind, taken in _TYPES["accepted"].items()}
HOLDS_ONE_TYPES = frozenset(ACCEPTED_TYPES) | {"Cup", "Mug"}
"""Receptacles that take one thing at a time (AI2-THOR's rule; at starts and ends no hanger held
two).  More may be listed in a burner: what stands in its pot, or beside it."""
ROUND_RIM_RATIOS: dict[str, float] = _NUMBERS["round_rim_ratios"]
ROUND_WALL_RATIOS: dict[str, float] = _NUMBERS["round_wall_ratios"]
SQUARE_RIM_RATIOS: dict[str, float] = _NUMBERS["square_rim_ratios"]
SQUARE_WIDTH_RIM_RATIOS: dict[str, float] = _NUMBERS["square_width_rim_ratios"]
STRICT_DISH_TYPES = _types("strict_dish")
STRICT_WHILE_EMPTY_TYPES = _types("strict_while_empty")
WALL_SIDE_TYPES = _types("wall_side")
HEAP_TYPES = _types("heap")
SHELF_HEIGHT_SHARES: dict[str, list[float]] = _NUMBERS["shelf_height_shares"]
BACKREST_TYPES = _types("backrest")
SEAT_TYPES = _types("seat")
NESTING_TYPES = _types("nesting")
ENCLOSING_TYPES = _types("enclosing")

# ---- Receptacles: open and closed

MUST_BE_OPEN_TYPES = _types("must_be_open")
STARTS_CLOSED_TYPES = _types("starts_closed")
STARTS_OPEN_TYPES = _types("starts_open")
RUNS_CLOSED_TYPES = _types("runs_closed")
DOOR_SWING_SHARES: dict[str, float] = _NUMBERS["door_swing_shares"]
HINGED_DOOR_TYPES = frozenset(DOOR_SWING_SHARES)
DOUBLE_DOOR_SWING_SHARES: dict[str, float] = _NUMBERS["double_door_swing_shares"]
EITHER_HINGE_TYPES = _types("either_hinge")
OUTER_DOOR_THICKNESSES_METRES: dict[str, float] = _NUMBERS["outer_door_thicknesses_metres"]
FRONT_TYPES = _types("front")
FRONT_ACCESS_TYPES = FRONT_TYPES | _types("front_access")
INNER_FLOOR_METRES: dict[str, float] = _NUMBERS["inner_floor_metres"]
BACK_THICKNESSES_METRES: dict[str, float] = _NUMBERS["back_thicknesses_metres"]

# ---- Shapes and positions of things that can be carried

CENTRE_POSITION_TYPES = _types("centre_position")
LYING_TYPES = _types("lying")
ROUND_OBSTACLE_TYPES = _types("round_obstacle")
DISH_FLOOR_METRES: dict[str, float] = _NUMBERS["dish_floor_metres"]

# ---- Shapes and positions of furniture

FIXED_OBSTACLE_TYPES = _types("fixed_obstacle")
OBSTACLE_WIDTH_SHARES: dict[str, float] = _NUMBERS["obstacle_width_shares"]
SPOUT_SHARES: dict[str, list[float]] = _NUMBERS["spout_shares"]
LATER_TYPES = _types("later")
MOVED_FURNITURE_TYPES = _types("moved_furniture")
PARTS_OF_FURNITURE_TYPES = _types("parts_of_furniture")
ROUND_FURNITURE_TYPES = _types("round_furniture")
BODY_MARGINS_METRES: dict[str, float] = _NUMBERS["body_margins_metres"]
OVERLAPS_OF_2_1_0_METRES: dict[str, float] = _NUMBERS["overlaps_of_2_1_0_metres"]
ROUND_OVERLAPS_OF_2_1_0_METRES: dict[str, float] = _NUMBERS["round_overlaps_of_2_1_0_metres"]
FLAT_TYPES = _types("flat")
SKEW_DEPTHS_METRES: dict[str, float] = _NUMBERS["skew_depths_metres"]
WALL_MOUNTED_TYPES = _types("wall_mounted")
WALL_PIERCING_TYPES = _types("wall_piercing")
SHOWER_SCREEN_TYPES = _types("shower_screen")
FLOOR_COVERING_TYPES = _types("floor_covering")
COUNTER_APPLIANCE_TYPES = _types("counter_appliance")
COUNTER_CUTOUT_TYPES = _types("counter_cutout")
BAR_SEAT_TYPES = _types("bar_seat")
AREA_YAW_OFFSETS_DEGREES: dict[str, float] = _NUMBERS["area_yaw_offsets_degrees"]
TABLE_TYPES = _types("table")
TALL_BOX_TABLE_TYPES = _types("tall_box_table")

# ---- Where the Commander has things put down (our choices)

CUTTING_SURFACE_TYPES = _ordered("cutting_surface")
PUT_DOWN_TYPES = (*CUTTING_SURFACE_TYPES, *_ordered("put_down"))
LAST_RESORT_TYPES = _ordered("last_resort")
CRAMPED_TYPES = _types("cramped")
ROOM_NOT_GUESSED_TYPES = HEAP_TYPES | frozenset(SHELF_HEIGHT_SHARES) | _types("room_not_guessed")

# ---- Numbers of AI2-THOR's rules of placing, which the world applies and the Commander predicts

BOUNDING_BOX_MARGIN_METRES = 0.0025
"""How far the box that AI2-THOR tests reaches beyond an object's own on each side, metres.

Prefabs have a bounding box of their own that is a little larger than the colliders (5 to 15
mm in dishes); 2.5 mm agrees best with where food lay on plates at recorded ends."""
EDGE_TOLERANCE_METRES = 1e-6
"""A box within this distance beyond an area's edge is still within the area, metres."""
TOUCHING_TOLERANCE_METRES = 0.002
"""How far two boxes may reach into each other and still only touch, metres."""
LATTICE_DIVISIONS = 8
"""The number of parts of a receptacle's area each way; objects stand on the lines between them
(seen in recordings of AI2-THOR 3.1.0)."""

# ---- Object classes: the hypernyms that TEACh gives types

_CLASSES: dict[str, list[str]] = files.package_table("tatc.home", "object_classes.json")
CLASSES_BY_TYPE = {name: tuple(classes) for name, classes in _CLASSES.items()}
"""For each object type, the classes it has besides its own name and its twin's, in the order in
which TEACh's recorded states list them (spec appendix A).  Older recordings lack Lamps."""
KNOWN_OBJECT_TYPES = frozenset(CLASSES_BY_TYPE)
"""Every object type known; a Cart is in ALFRED's scenes alone."""
KNOWN_OBJECT_CLASSES = KNOWN_OBJECT_TYPES.union(*CLASSES_BY_TYPE.values())
"""Every class known: each type is a class too."""
