"""Compiled loops of the influence audit."""
