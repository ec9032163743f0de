"""The compiled modules of the sliding tiles; `setup.py` gets their names from here."""

MODULES = ("additive_fill", "sliding_search")
