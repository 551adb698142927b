"""Runs as HTML pages that open from disk."""
