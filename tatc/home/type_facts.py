"""The table of object-type facts: one column for each fact, with its source below it.

Sources are AI2-THOR's rules (version 3.1.0, in which TEACh was recorded), TEACh's rules ("spec
section N"), counts in recorded games, and our own choices.  "Starts" and "ends" are the first and
last states of TEACh's train games; counts are those of the 1,274 games whose floor plans are not
set aside for evaluation.  A set of types is a column of yes and no; a mapping gives a value for the
types it names and nothing for the others.  Tuples are ordered where the order means something.
The columns of yes and no, with their sources, stand in `type_facts.toml`.
"""

from tatc.base import files

_TYPES: dict[str, str] = files.package_table("tatc.home", "type_facts.toml")


def _types(column: str) -> frozenset[str]:
    """Return the types of a column of the table, or those of a text that names some."""
    return frozenset(_TYPES.get(column, column).split())


# ---- Single types that many rules name

FLOOR_TYPE, COUNTER_TYPE = "Floor", "CounterTop"
BURNER_TYPE, KNOB_TYPE = "StoveBurner", "StoveKnob"

# ---- Knives and food

KNIFE_TYPES = ("Knife", "ButterKnife")
"""Slice needs one of these in the hand (spec section 2.3: the type's name has "Knife")."""

SLICE_TYPE_BY_WHOLE = {
    "Apple": "AppleSliced",
    "Bread": "BreadSliced",
    "Lettuce": "LettuceSliced",
    "Potato": "PotatoSliced",
    "Tomato": "TomatoSliced",
}
"""What whole food is cut into (AI2-THOR's rule)."""
CRACKED_TYPE_BY_WHOLE = {"Egg": "EggCracked"}
"""What is cracked instead of cut; it gives one piece (AI2-THOR's rule)."""
PIECE_TYPE_BY_WHOLE = {**SLICE_TYPE_BY_WHOLE, **CRACKED_TYPE_BY_WHOLE}
WHOLE_TYPE_BY_PIECE = {piece: whole for whole, piece in PIECE_TYPE_BY_WHOLE.items()}
SLICE_TYPES = frozenset(SLICE_TYPE_BY_WHOLE.values())
PIECE_SUFFIXES = ("Sliced", "Cracked")
"""What task definitions append to a whole food's type (spec section 3.5)."""
MIN_PIECES_BY_WHOLE = {"Apple": 3, "Bread": 4, "Egg": 1, "Lettuce": 7, "Potato": 6, "Tomato": 7}
"""The fewest pieces of the piece's own type that a whole gives (counted at 1,055 ends); a
loaf's heel does not count, because it is a Bread."""
COOKABLE_PIECE_TYPES = _types("cookable_piece")
TOASTED_TYPES = _types("toasted")

# ---- Heat, cold and water

HEAT_SOURCE_TYPES = ("StoveBurner", "Microwave", "Toaster")
"""What cooks (AI2-THOR's isHeatSource)."""
BOILING_HEAT_TYPES = ("StoveBurner", "Microwave")
"""Heat sources that take a vessel of water (AI2-THOR's rule: a toaster takes bread alone)."""
COLD_SOURCE_TYPES = _types("cold_source")
COOKING_VESSEL_TYPES = ("Pan", "Pot")
"""Dishes that are heated on a burner with food in them (`ACCEPTED_TYPES` of burners; a
kettle takes no food)."""
BOILING_VESSEL_TYPES = ("Pot", "Bowl")
"""Dishes in which food is boiled, in a pot on a burner or a bowl in a microwave (our choice)."""
WATER_SOURCE_TYPES = ("Faucet", "ShowerHead")
"""What lets water fall.  TEACh's own rule knows faucets alone (spec section 2.7); in recorded
ends showers have washed what lay in their tubs."""
BASIN_TYPE_BY_SINK = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
"""AI2-THOR's two objects for one fixture; TEACh takes either for the other (spec section 3.4)."""
BASIN_TYPES = tuple(BASIN_TYPE_BY_SINK.values())
SINK_TYPES = ("SinkBasin", "Sink", "BathtubBasin", "Bathtub")
"""Where running water washes and fills (spec section 2.7) and anything can be poured out
(section 2.5), in our order of preference."""

# ---- Receptacles: what they take

ACCEPTED_TYPES = {
    "CoffeeMachine": _types("Mug"),
    "HandTowelHolder": _types("HandTowel"),
    "StoveBurner": _types("Kettle Pan Pot"),
    "Toaster": _types("BreadSliced"),
    "ToiletPaperHanger": _types("ToiletPaper"),
    "TowelHolder": _types("Towel"),
}
"""Receptacles with one fixed place, and the only types that they take (AI2-THOR's rule; of 814
recorded Places in them, one on a burner was of another type)."""
HOLDS_ONE_TYPES = frozenset(ACCEPTED_TYPES) | {"Cup", "Mug"}
"""Receptacles that take one thing at a time (AI2-THOR's rule; at starts and ends no hanger held
two).  More may be listed in a burner: what stands in its pot, or beside it."""
ROUND_RIM_RATIOS = {"Bowl": 0.6, "Pan": 0.8, "Plate": 0.95}
"""How far from its middle the rim of a round dish is in the way, as a share of its half
width (fitted to recorded ends)."""
ROUND_WALL_RATIOS = {"Pot": 1.05}
"""The same for a pot, as a share of its areas' longer half side: the handles of a pot make its box
wider (of 41 things put into pots, 21 lie within 1 cm of their place, not 15)."""
SQUARE_RIM_RATIOS = {"Bowl": 1.0, "Pan": 1.0, "Pot": 0.9}
"""The same for a dish with a single area, as a share of the area's half sizes."""
SQUARE_WIDTH_RIM_RATIOS = {"Plate": 0.84}
"""The same for a plate with a single area, as a share of its half width: the areas of plates end
at the rim or well within it (recorded Places of slices that are as wide as a plate)."""
STRICT_DISH_TYPES = _types("strict_dish")
STRICT_WHILE_EMPTY_TYPES = _types("strict_while_empty")
WALL_SIDE_TYPES = _types("wall_side")
HEAP_TYPES = _types("heap")
SHELF_HEIGHT_SHARES = {"Fridge": (0.42, 0.6, 0.77)}
"""Receptacles with shelves, and how high these are, as shares of the height (scene dumps).  At
starts and ends 9,504 pairs of things stood above one another in fridges, none in cabinets and
safes.  Only where nothing shows the shelves: they differ by 30 cm from fridge to fridge."""
BACKREST_TYPES = _types("backrest")
SEAT_TYPES = _types("seat")
NESTING_TYPES = _types("nesting")
ENCLOSING_TYPES = _types("enclosing")

# ---- Receptacles: open and closed

MUST_BE_OPEN_TYPES = _types("must_be_open")
STARTS_CLOSED_TYPES = _types("starts_closed")
STARTS_OPEN_TYPES = _types("starts_open")
RUNS_CLOSED_TYPES = _types("runs_closed")
DOOR_SWING_SHARES = {"Cabinet": 0.97, "Fridge": 0.82, "Microwave": 0.6, "Safe": 0.75}
"""Receptacles with a hinged door, and how far it stands out when open, as a share of the front's
width (ends)."""
HINGED_DOOR_TYPES = frozenset(DOOR_SWING_SHARES)
DOUBLE_DOOR_SWING_SHARES = {"Cabinet": 0.5, "Fridge": 0.42}
"""The same for those that may have two doors (ends)."""
EITHER_HINGE_TYPES = _types("either_hinge")
OUTER_DOOR_THICKNESSES_METRES = {"Fridge": 0.12}
"""Types whose doors stand beside the opening when open, and how thick these are (ends)."""
FRONT_TYPES = _types("front")
FRONT_ACCESS_TYPES = FRONT_TYPES | _types("CoffeeMachine Fridge Microwave")
"""Reached from the front only (our choice)."""
INNER_FLOOR_METRES = {"Microwave": 0.1}
"""How far the floor inside is above the lower side of the box (starts and ends: 9.6 to 11.2 cm)."""
BACK_THICKNESSES_METRES = {"Fridge": 0.18}
"""How thick the back is where it is thicker than others (recorded clicks that were in reach)."""

# ---- Shapes and positions of things that can be carried

CENTRE_POSITION_TYPES = _types("centre_position")
LYING_TYPES = _types("lying")
ROUND_OBSTACLE_TYPES = _types("round_obstacle")
DISH_FLOOR_METRES = {"Bowl": 0.012, "Pan": 0.008, "Plate": 0.007, "Pot": 0.01}
"""How high above a dish's lower side the ray of a Place ends in it (ends: from there the nearest
free point is most often where the thing then lay; 1 cm more or less misses one in ten more)."""

# ---- Shapes and positions of furniture

FIXED_OBSTACLE_TYPES = _types("fixed_obstacle")
OBSTACLE_WIDTH_SHARES = {"DeskLamp": 0.5, "HousePlant": 0.5, "Television": 0.25}
"""Types with a foot narrower than their box, and its share of the width (starts and ends: half of
what stands beside a screen stands within its box)."""
SPOUT_SHARES = {"Faucet": (0.7, 0.6)}
"""What of a box is in the way in a basin, where its spout is: so much of its width, and so much of
its height, from the top (this refuses 33 more of the 509 Places into sinks that AI2-THOR
refused, and 2 of the 845 that it accepted)."""
LATER_TYPES = _types("later")
MOVED_FURNITURE_TYPES = _types("moved_furniture")
PARTS_OF_FURNITURE_TYPES = _types("parts_of_furniture")
ROUND_FURNITURE_TYPES = _types("round_furniture")
BODY_MARGINS_METRES = {
    "Bed": -0.04, "CounterTop": 0.005, "GarbageCan": -0.015, "HousePlant": -0.04, "Sofa": -0.04,
    "StoveBurner": 0.11, "Toilet": -0.07, "Window": -0.015,
}  # fmt: skip
"""How far an object reaches beyond its box for a body that passes (recorded moves): an oven's
handle juts out before its burners, soft things give way, a toilet's lid is narrower than its
tank."""
OVERLAPS_OF_2_1_0_METRES = {
    "ArmChair": 0.02, "Chair": 0.02, "CoffeeTable": 0.01, "Desk": 0.02,
    "LaundryHamper": 0.04, "ShelvingUnit": 0.03, "ShowerDoor": 0.02, "SideTable": 0.03,
    "Sofa": 0.02, "Stool": 0.07, "TVStand": 0.02, "Television": 0.02,
}  # fmt: skip
"""How far into the box of later versions a body comes in AI2-THOR 2.1.0: as far as at least half
of the cells beside free ones were walked on there (cells of ALFRED's train experts)."""
ROUND_OVERLAPS_OF_2_1_0_METRES = {"DiningTable": 0.09}
"""The same for round objects, where it differs: only the circle in the box blocks."""
FLAT_TYPES = _types("flat")
SKEW_DEPTHS_METRES = {
    "Blinds": 0.1, "CounterTop": 0.65, "Curtains": 0.1, "Mirror": 0.1, "Painting": 0.1,
    "Window": 0.1,
}  # fmt: skip
"""How deep an object that stands askew is (scene dumps)."""
WALL_MOUNTED_TYPES = _types("wall_mounted")
WALL_PIERCING_TYPES = _types("wall_piercing")
SHOWER_SCREEN_TYPES = _types("shower_screen")
FLOOR_COVERING_TYPES = _types("floor_covering")
COUNTER_APPLIANCE_TYPES = _types("counter_appliance")
COUNTER_CUTOUT_TYPES = _types("counter_cutout")
BAR_SEAT_TYPES = _types("bar_seat")
AREA_YAW_OFFSETS_DEGREES = {"DiningTable": 90.0, "Fridge": 90.0, "Toaster": 270.0}
"""How far the areas that take things are turned from their object (most ends)."""
TABLE_TYPES = _types("table")
TALL_BOX_TABLE_TYPES = _types("tall_box_table")

# ---- Where the Commander has things put down (our choices)

CUTTING_SURFACE_TYPES = ("CounterTop", "DiningTable", "SideTable", "CoffeeTable", "Desk", "Dresser")
"""Surfaces on which slices lie in the open."""
PUT_DOWN_TYPES = (*CUTTING_SURFACE_TYPES, "TVStand", "Shelf", "Bed", "Sofa", "ArmChair", "Ottoman")
"""Surfaces on which a thing may be put down for the time being."""
LAST_RESORT_TYPES = ("Chair", "Stool", "Footstool", FLOOR_TYPE)
"""Surfaces to put a thing down on where no other has room."""
CRAMPED_TYPES = _types("cramped")
ROOM_NOT_GUESSED_TYPES = HEAP_TYPES | frozenset(SHELF_HEIGHT_SHARES) | _types("Cabinet Safe")
"""Receptacles in which the Commander tries a thing without guessing where there is room: boxes do
not tell in heaps and on shelves.  In cabinets they do, but guessing made four of 150 sessions of
Put All X longer and none successful."""

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
