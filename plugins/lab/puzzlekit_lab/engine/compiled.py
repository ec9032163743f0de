"""The compiled modules of the laboratory; `setup.py` gets their names from here."""

MODULES = ("group_fill",)
