"""Compiled inner loops: projections of chains and partial orders, and means of papers."""
