"""The compiled modules of the Kilominx; `setup.py` gets their names from here."""

MODULES = ("halves",)
