"""Documentation is executed: every docstring of src/unround, and the Python blocks of Markdown.

Docstrings run under pytest's own doctest, each by itself, so that an example works when copied;
Markdown under Sybil, which knows where a fenced block ends.
"""

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

# The same examples in every run, however busy the machine is.
settings.register_profile("unround", deadline=None, derandomize=True)
settings.load_profile("unround")


def pytest_configure(config: pytest.Config) -> None:
    """Collect docstrings in every run, not only when --doctest-modules is given."""
    config.option.doctestmodules = True


pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"]).pytest()
