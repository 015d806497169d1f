"""The simulated home: the `Simulator` protocol, TEACh's rules, and the backends."""
