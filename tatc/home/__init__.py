"""What a home is made of and looks like: values that agents, worlds and records share.

Actions, objects, poses, snapshots, percepts and refusals are here, and what is known of
AI2-THOR's types (`types`), what rays hit and clicks mean (`camera`), and colours
(`rendering`).  Nothing here acts, plans or speaks.
"""
