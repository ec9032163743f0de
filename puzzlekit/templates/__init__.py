"""Template files of `puzzlekit new`: `string.Template` with the names of the new puzzle."""
