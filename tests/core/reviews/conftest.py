"""Every kind of dataframe in turn."""

import pytest

from tests.core.tables import FRAMES


@pytest.fixture(params=FRAMES)
def frame(request):
    """The constructor of each kind of dataframe in turn."""
    return FRAMES[request.param]
