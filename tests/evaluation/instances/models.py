"""Models with TEACh's interface, as users name them: good ones and bad ones."""

from typing import Any


class Copying:
    """Does what the people did, which its instance tells."""

    uses_images = False

    def __init__(self, index: int, count: int, arguments: list[str]) -> None:
        assert (index, count) == (0, 1)
        self.arguments = arguments

    def start_new_edh_instance(
        self, instance: dict[str, Any], images: list[Any] | None, edh_name: str
    ) -> bool:
        assert images is None
        assert edh_name == instance["instance_id"]
        walks = ("Navigation", "Text")
        self.left = [
            each for each in instance["driver_actions_future"] if each["action_name"] not in walks
        ]
        return True

    def get_next_action(
        self, image: Any, instance: dict[str, Any], previous: Any, *names: Any
    ) -> tuple[Any, Any]:
        if not self.left:
            return "Stop", None
        done = self.left.pop(0)
        at = None if done["x"] is None else (done["y"], done["x"])
        return done["action_name"], at


class Raising(Copying):
    def get_next_action(self, *given: Any) -> tuple[Any, Any]:
        raise ValueError("it fell over")


class Hanging(Copying):
    def get_next_action(self, *given: Any) -> tuple[Any, Any]:
        while True:
            pass


class Silent(Copying):
    def start_new_edh_instance(self, *given: Any) -> bool:
        return False


class Babbling(Copying):
    def get_next_action(self, *given: Any) -> tuple[Any, Any]:
        return "Forward", "straight on"


class Stubborn(Copying):
    """Tries for ever what no Follower can do."""

    def get_next_action(self, *given: Any) -> tuple[Any, Any]:
        return "Navigation", None
