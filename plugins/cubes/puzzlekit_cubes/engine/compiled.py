"""The compiled modules of the cubes; `setup.py` gets their names from here."""

MODULES = ("cosets", "coset_fill", "two_sided")
