"""The version of puzzlekit, and the name of its distribution."""

__version__ = "0.1.0"

#: The name to install. The distribution called puzzlekit is another program.
DISTRIBUTION = "permutation-puzzlekit"
