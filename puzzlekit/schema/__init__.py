"""JSON Schemas of the output of --json; docs/cli.md describes the fields.

>>> from importlib.resources import files
>>> (files("puzzlekit.schema") / "solve.schema.json").is_file()
True
"""
