"""Programs over sessions: debugger, viewer, exports, servers, environments, training.

None of them imports another.
"""
