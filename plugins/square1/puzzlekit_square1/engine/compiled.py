"""The compiled modules of the Square-1; `setup.py` gets their names from here."""

MODULES = ("slices",)
