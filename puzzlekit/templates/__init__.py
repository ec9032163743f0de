"""Template files of new plugins, reports and scramble sheets."""
