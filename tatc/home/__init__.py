"""What a home is made of and looks like: values that agents, worlds and records share.

Actions, objects, poses, snapshots, percepts and refusals are here, and what is known of
AI2-THOR's types and assets, what rays hit and clicks mean (`camera`), and colours (`rendering`).
Nothing here acts, plans or speaks, and nothing but `tatc.base` is imported.  The room exports no
names: a Follower may import `actions` and `observation`, and must not get `state` along with them.
"""
