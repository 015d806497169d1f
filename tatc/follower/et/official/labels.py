"""The fixed lists of E.T.: its actions, object classes and words with a meaning."""

from tatc.actions import FOLLOWER_VERBS, Verb

EDH_ACTIONS = (*FOLLOWER_VERBS[:9], Verb.NAVIGATION, *FOLLOWER_VERBS[9:])
"""Actions of EDH in the order of their numbers; Stop is 0, which pads too."""

TFD_ACTIONS = (*EDH_ACTIONS, Verb.TEXT)
"""Actions of TfD."""

PADDING_ID = 0
"""The number of padding, of words as of actions."""
PAD_TOKEN, SEGMENT_TOKEN, GOAL_TOKEN, MASK_TOKEN = ("<<pad>>", "<<seg>>", "<<goal>>", "<<mask>>")
SPECIAL_TOKENS = (PAD_TOKEN, SEGMENT_TOKEN, GOAL_TOKEN, MASK_TOKEN)
"""The first words of every vocabulary; the first pads."""
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
"""Object classes in the order of their numbers; None stands for no object."""

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
"""Labels of E.T.'s detector; a class that is not among them is clicked at random."""
