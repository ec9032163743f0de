"""The compiled modules; `setup.py` gets their names from here."""

MODULES = ("lookup",)
