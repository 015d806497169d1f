"""E.T.'s fixed lists: its actions, object classes and special tokens."""

from tatc.home.actions import FOLLOWER_VERBS, Verb

EDH_ACTIONS = (*FOLLOWER_VERBS[:9], Verb.NAVIGATION, *FOLLOWER_VERBS[9:])
"""The actions of EDH in the order of their ids; Stop is 0, which is also padding."""

TFD_ACTIONS = (*EDH_ACTIONS, Verb.TEXT)
"""The actions of TfD in the order of their ids."""

PADDING_ID = 0
"""The id of padding, among words and among actions."""
PAD_TOKEN, SEGMENT_TOKEN, GOAL_TOKEN, MASK_TOKEN = ("<<pad>>", "<<seg>>", "<<goal>>", "<<mask>>")
SPECIAL_TOKENS = (PAD_TOKEN, SEGMENT_TOKEN, GOAL_TOKEN, MASK_TOKEN)
"""The first words of every vocabulary; the first is padding."""
UTTERANCE_END_TOKEN, DIALOGUE_END_TOKEN = "<<instr>>", "<<stop>>"

ET_OBJECT_CLASSES = tuple(
    (
        "None AlarmClock Apple ArmChair BaseballBat BasketBall Bathtub Bed Blinds "
        "Book Bottle Bowl Box Bread ButterKnife CD Cabinet Candle CellPhone Chair "
        "Cloth CoffeeMachine CoffeeTable CounterTop CreditCard Cup Desk DiningTable "
        "DishSponge DogBed Drawer Dresser Egg Faucet Floor Fork Fridge GarbageCan "
        "HandTowel HandTowelHolder HousePlant Kettle KeyChain Knife Ladle Laptop "
        "LaundryHamper Lettuce LightSwitch Microwave Mug Newspaper Ottoman Pan "
        "PaperTowelRoll Pen Pencil PepperShaker Pillow Plate Pot Potato "
        "RemoteControl Safe SaltShaker ScrubBrush Shelf ShowerCurtain ShowerDoor "
        "ShowerHead SideTable Sink SoapBar SoapBottle Sofa Spatula Spoon "
        "SprayBottle Statue Stool StoveBurner StoveKnob TVStand TeddyBear "
        "Television TennisRacket TissueBox Toaster Toilet ToiletPaper Tomato Towel "
        "TowelHolder Vase Watch WateringCan WineBottle"
    ).split()
)
"""The object classes in the order of their ids; "None" stands for no object."""

DETECTOR_LABELS = frozenset(
    (
        "None AlarmClock Apple AppleSliced ArmChair BaseballBat BasketBall Bathtub "
        "BathtubBasin Bed Book Bowl Box Bread BreadSliced ButterKnife CD Cabinet "
        "Candle Cart CellPhone Cloth CoffeeMachine CoffeeTable CounterTop "
        "CreditCard Cup Desk DeskLamp DiningTable DishSponge Drawer Dresser Egg "
        "Faucet FloorLamp Fork Fridge GarbageCan Glassbottle HandTowel Kettle "
        "KeyChain Knife Ladle Laptop Lettuce LettuceSliced Microwave Mug Newspaper "
        "Ottoman Pan Pen Pencil PepperShaker Pillow Plate Plunger Pot Potato "
        "PotatoSliced RemoteControl Safe SaltShaker Shelf SideTable Sink SinkBasin "
        "SoapBar SoapBottle Sofa Spatula Spoon SprayBottle Statue StoveBurner "
        "TVStand TennisRacket TissueBox Toilet ToiletPaper ToiletPaperHanger Tomato "
        "TomatoSliced Vase Watch WateringCan WineBottle"
    ).split()
)
"""The labels of E.T.'s detector; other classes are clicked at random."""
