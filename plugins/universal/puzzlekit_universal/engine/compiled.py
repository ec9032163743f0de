"""The compiled modules of the universal method; `setup.py` gets their names from here."""

MODULES = (
    "near",
    "goal_beam",
    "word_moves",
    "library",
    "word_pieces",
    "insertion",
    "approach",
    "climb",
    "seeds",
    "piece_beam",
)
