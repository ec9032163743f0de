"""Template files of new plugins."""
