"""Object classes: the hypernyms that TEACh gives each AI2-THOR object type.

The table holds facts of TEACh (spec appendix A), in the order in which its recorded
states list them; a type without classes has an empty entry, so that the keys are all
known types.  DeskLamp and FloorLamp also have Lamps, which older recordings lack.  A Cart
is in ALFRED's scenes alone.
"""

_CLASS_TABLE = """
AlarmClock: Electronics RoomDecor
AluminumFoil:
Apple: Food Fruit
AppleSliced: Food Fruit
ArmChair: Furniture Chairs
BaseballBat: SportsEquipment
BasketBall: SportsEquipment
Bathtub:
BathtubBasin:
Bed: Furniture
Blinds: WallDecor
Book: MediaEntertainment SmallHandheldObjects
Boots:
Bottle: Tableware Drinkware
Bowl: Tableware Dishware
Box:
Bread: Food
BreadSliced: Food
ButterKnife: Silverware Knives KitchenUtensils
CD: MediaEntertainment SmallHandheldObjects
Cabinet:
Candle: RoomDecor
Cart:
CellPhone: Electronics SmallHandheldObjects MediaEntertainment
Chair: Furniture Chairs
Cloth: CleaningProducts
CoffeeMachine: Appliances
CoffeeTable: Furniture Tables
CounterTop:
CreditCard: SmallHandheldObjects
Cup: Tableware Drinkware
Curtains: WallDecor
Desk: Furniture Tables
DeskLamp: Lights Lamps
Desktop: Electronics MediaEntertainment Computers
DiningTable: Furniture Tables
DishSponge: CleaningProducts
DogBed:
Drawer:
Dresser: Furniture
Dumbbell: SportsEquipment
Egg: Food
EggCracked: Food
Faucet: WaterSources
Floor:
FloorLamp: Lights Lamps
Footstool: Furniture
Fork: Silverware KitchenUtensils
Fridge: Appliances
GarbageBag: CleaningProducts
GarbageCan:
HandTowel: HygieneProducts
HandTowelHolder:
HousePlant: RoomDecor
Kettle: Cookware
KeyChain: SmallHandheldObjects
Knife: Cookware Knives KitchenUtensils
Ladle: Cookware KitchenUtensils
Laptop: Electronics MediaEntertainment Computers
LaundryHamper:
Lettuce: Food Vegetables
LettuceSliced: Food Vegetables
LightSwitch: Lights
Microwave: Appliances
Mirror:
Mug: Tableware Drinkware
Newspaper: MediaEntertainment
Ottoman: Furniture
Painting: WallDecor
Pan: Cookware
PaperTowel: CleaningProducts
PaperTowelRoll:
Pen: SmallHandheldObjects WritingUtensils
Pencil: SmallHandheldObjects WritingUtensils
PepperShaker: Tableware Condiments
Pillow:
Plate: Tableware Dishware
Plunger: CleaningProducts
Poster: WallDecor
Pot: Cookware
Potato: Food Vegetables
PotatoSliced: Food Vegetables
RemoteControl: Electronics SmallHandheldObjects MediaEntertainment
RoomDecor: RoomDecor
Safe:
SaltShaker: Tableware Condiments
ScrubBrush: CleaningProducts
Shelf: Furniture Tables
ShelvingUnit:
ShowerCurtain: WallDecor
ShowerDoor:
ShowerGlass:
ShowerHead: WaterSources
SideTable: Furniture Tables
Sink:
SinkBasin:
SoapBar: CleaningProducts HygieneProducts Soap
SoapBottle: CleaningProducts HygieneProducts Soap
Sofa: Furniture Chairs
Spatula: Cookware KitchenUtensils
Spoon: Silverware KitchenUtensils
SprayBottle: CleaningProducts
Statue: RoomDecor
Stool: Furniture Chairs
StoveBurner: Appliances
StoveKnob: Appliances
TVStand: Furniture
TableTopDecor: RoomDecor
TargetCircle:
TeddyBear: RoomDecor
Television: Electronics MediaEntertainment
TennisRacket: SportsEquipment
TissueBox: CleaningProducts HygieneProducts
Toaster: Appliances
Toilet: WaterSources
ToiletPaper: CleaningProducts
ToiletPaperHanger:
Tomato: Food Fruit
TomatoSliced: Food Fruit
Towel: HygieneProducts
TowelHolder:
VacuumCleaner: Appliances CleaningProducts
Vase: RoomDecor
Watch: SmallHandheldObjects
WateringCan:
Window: WallDecor
WineBottle: Tableware RoomDecor
"""


def _read_class_table() -> dict[str, tuple[str, ...]]:
    rows = (row.split(":") for row in _CLASS_TABLE.strip().splitlines())
    return {name: tuple(classes.split()) for name, classes in rows}


CLASSES_BY_TYPE = _read_class_table()
"""For each object type, the classes it has besides its own name and its twin's."""

KNOWN_OBJECT_TYPES = frozenset(CLASSES_BY_TYPE)
"""Every object type known."""

KNOWN_OBJECT_CLASSES = KNOWN_OBJECT_TYPES.union(*CLASSES_BY_TYPE.values())
"""Every class known: each type is a class too."""
