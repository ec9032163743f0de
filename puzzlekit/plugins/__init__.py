"""Plugins: hook specifications, and the manager that finds and loads them."""

from puzzlekit.plugins.hooks import API_VERSION, PuzzleEntry, hookimpl
from puzzlekit.plugins.manager import PluginManager, available, load

__all__ = ["API_VERSION", "PluginManager", "PuzzleEntry", "available", "hookimpl", "load"]
