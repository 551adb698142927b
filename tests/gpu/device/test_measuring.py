"""What `python -m benchmarks.gpu` measures, at a size that a simulated GPU can do."""

import pytest
from benchmarks.gpu.files import file_stages

import unround
from unround.runs.bulk import run_bulk
from unround.settings import Settings


# Drawing multiplies modulo 2^64, of which the simulator warns.
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_files_are_measured_to_the_end():
    """λ is chosen by validation there, as the command does."""
    stages = [stage for _, stage, _ in file_stages([16])]
    assert stages[0] == "read the file, send it to the GPU"
    assert stages[-1] == "most memory of that process on the host"


def test_simulation_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(unround.UsageError, match="chosen by validation"):
        run_bulk(tmp_path / "missing.parquet", tmp_path / "out", Settings(), lambda *_: None)
