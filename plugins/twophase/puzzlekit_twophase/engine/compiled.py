"""The compiled modules of two-phase searches; `setup.py` gets their names from here."""

MODULES = ("groups", "improve")
