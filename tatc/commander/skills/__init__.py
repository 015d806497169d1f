"""Skills: physical routines that policies are made of, one file a family.

A skill is data.  Its `plan` adds to a draft what is still missing to reach the skill's
end state, and returns the trouble where that cannot be planned, or where the rest must
wait until the outcome of a step has been seen.  A skill whose end state holds adds
nothing.
"""
