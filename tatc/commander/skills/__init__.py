"""Skills: physical routines that policies put together, one file for each family.

A skill is data: an end state.  Its `plan` adds to a plan builder the steps that are still missing
to reach that state.  It returns a failure where they cannot be planned, or where the rest must wait
until the outcome of a step has been seen.  A skill whose end state holds already adds nothing.
"""
