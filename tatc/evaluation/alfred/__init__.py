"""Sessions in ALFRED's action space: discrete actions with masks, and ThorEnv's interface."""
