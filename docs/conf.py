"""How Sphinx builds the site: see CONTRIBUTING.md. Nothing is fetched, no source is written."""

from __future__ import annotations

import sys
from pathlib import Path

import puzzlekit

sys.path.insert(0, str(Path(__file__).parent / "_site"))

project = "puzzlekit"
author = "The puzzlekit authors"
project_copyright = author
version = release = puzzlekit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "markdown_site"]
exclude_patterns = ["_site"]

html_theme = "furo"
html_title = f"puzzlekit {version}"
html_static_path = ["_site/static"]
html_css_files = ["wide.css"]
html_favicon = "../plugins/web/puzzlekit_web/page/icon.svg"
html_show_sourcelink = False

# Headings can be linked to as on a code host; plain fences need no language.
myst_heading_anchors = 3
highlight_language = "none"

# A line for each parameter. Lists of parameters show the types again.
maximum_signature_line_length = 100
autodoc_typehints = "both"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
toc_object_entries = False
nitpicky = True
# Annotations name types of the standard library, and some that are not public.
nitpick_ignore_regex = [("py:class", r".*")]
