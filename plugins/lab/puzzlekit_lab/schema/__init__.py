"""JSON Schemas of the output of --json; docs/cli.md describes the fields."""
