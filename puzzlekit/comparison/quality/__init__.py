"""The quality of heuristics: estimates against true distances and against claims."""
