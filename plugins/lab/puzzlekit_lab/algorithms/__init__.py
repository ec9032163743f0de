"""Search algorithms that store states, as strategies: A*, focal search, MM, NBS, BAE* and others.

A strategy prepares a `Graph`: the states of a phase, their neighbours, and estimates of the
distance to the goal and from the start. Its search is a `StateSearch`, which expands one node at a
time.
"""
