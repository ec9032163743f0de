"""The compiled modules of the FTO; `setup.py` gets their names from here."""

MODULES = ("pair_ranks",)
