"""tatc: TEACh's Two-Agent Task Completion with rule-based and learned agents."""

__version__ = "0.1.0"
