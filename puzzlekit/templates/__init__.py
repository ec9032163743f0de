"""Template files of new plugins and scramble sheets."""
