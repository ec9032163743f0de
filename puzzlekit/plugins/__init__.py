"""Plugins: hook specifications, and the manager that finds and loads them."""

from puzzlekit.heuristic.registry import find_heuristic, heuristics
from puzzlekit.plugins.hooks import API_VERSION, PuzzleEntry, PuzzleFamily, hookimpl
from puzzlekit.plugins.manager import PluginManager, available, load

__all__ = [
    "API_VERSION",
    "PluginManager",
    "PuzzleEntry",
    "PuzzleFamily",
    "available",
    "find_heuristic",
    "heuristics",
    "hookimpl",
    "load",
]
