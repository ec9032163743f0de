"""Move tables, and the goal values of coordinates; methods share both."""
