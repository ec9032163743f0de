"""The files that `puzzlekit new` writes: `string.Template` with the names of the new puzzle."""
