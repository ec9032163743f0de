"""JSON Schemas of what the command line prints with --json; docs/cli.md describes the fields.

>>> from importlib.resources import files
>>> (files("puzzlekit.schema") / "solve.schema.json").is_file()
True
"""
