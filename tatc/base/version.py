"""The version of tatc: this file is where the build reads it, too."""

__version__ = "0.2.0"
