"""Modules load with the garbage collector at rest, and it works again afterwards."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import pytest

from unround.cli.loading import loading


@pytest.fixture
def thawed():
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_rests_while_modules_load(thawed):
    with loading():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_works_again_after_a_module_that_fails(thawed):
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()


def test_it_stays_off_for_a_caller_who_turned_it_off(thawed):
    gc.disable()
    with loading():
        pass
    assert not gc.isenabled()


def test_loaded_modules_are_not_looked_through_again(thawed, monkeypatch):
    before = gc.get_freeze_count()
    with loading():
        monkeypatch.setitem(sys.modules, "a_module_of_its_own", ModuleType("a_module_of_its_own"))
    assert gc.get_freeze_count() > before


def test_where_nothing_new_is_loaded_nothing_is_kept(thawed):
    before = gc.get_freeze_count()
    with loading():
        import sys as known  # noqa: F401
    assert gc.get_freeze_count() == before
