"""The compiled modules of beams; `setup.py` gets their names from here."""

MODULES = ("endings", "states", "stages")
