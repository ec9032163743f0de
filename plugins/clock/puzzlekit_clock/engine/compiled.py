"""The compiled modules of the Clock; `setup.py` gets their names from here."""

MODULES = ("pairs",)
