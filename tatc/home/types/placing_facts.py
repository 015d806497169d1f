"""Numbers of AI2-THOR's rules of placing, which the world applies and the Commander foresees."""

BOUNDING_BOX_MARGIN_METRES = 0.0025
"""How far the box that AI2-THOR tests reaches beyond an object's own on each side, metres.

Prefabs have a bounding box of their own that is a little larger than the colliders (5 to 15
mm in dishes); 2.5 mm agrees best with where food lay on plates at recorded ends."""
EDGE_TOLERANCE_METRES = 1e-6
"""A box within this distance beyond an area's edge is still within the area, metres."""
TOUCHING_TOLERANCE_METRES = 0.002
"""How far two boxes may reach into each other and still only touch, metres."""
LATTICE_DIVISIONS = 8
"""The number of parts of a receptacle's area each way; objects stand on the lines between them
(seen in recordings of AI2-THOR 3.1.0)."""
