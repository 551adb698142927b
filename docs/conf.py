"""How the documentation is built: `make docs`. Nothing in the pages is loaded from another host."""

from __future__ import annotations

import sys
from pathlib import Path

from unround import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "unround"
author = "the unround contributors"
release = version = __version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml", "pages"]
exclude_patterns = ["_build", "_ext", "_tools"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

# Docstrings are in numpy's style; backquotes mark code.
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_param = False  # parameters that share a sentence stay together
napoleon_use_rtype = False
default_role = "literal"
smartquotes = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_class_signature = "separated"
autodoc_default_options = {"exclude-members": "__init__, __new__"}
python_maximum_signature_line_length = 60
toc_object_entries = False

html_theme = "furo"
html_title = "unround"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_math_renderer = "mathml"
html_show_copyright = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
