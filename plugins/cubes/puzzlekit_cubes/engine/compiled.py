"""The compiled modules of the cubes; `setup.py` gets their names from here."""

MODULES = ("pair_ranks", "pairing", "cosets", "coset_fill", "two_sided")
