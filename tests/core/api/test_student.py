"""Student's quantiles agree with SciPy's."""

import pytest
from scipy.special import stdtrit

from unround.metrics.student import MANY_DEGREES, student_quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 9, 100, MANY_DEGREES - 1, MANY_DEGREES, 10**6])
@pytest.mark.parametrize("level", [0.025, 0.6, 0.9, 0.975, 0.995])
def test_agrees_with_scipy(degrees: int, level: float) -> None:
    assert student_quantile(degrees, level) == pytest.approx(stdtrit(degrees, level), rel=1e-12)
