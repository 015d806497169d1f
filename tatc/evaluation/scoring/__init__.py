"""Scores: of one session, of many, of groups; the formulas are TEACh's (spec section 5)."""
