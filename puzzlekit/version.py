"""The version of puzzlekit."""

__version__ = "0.1.0"
