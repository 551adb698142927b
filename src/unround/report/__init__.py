"""Runs as HTML pages that open from disk, and the figures of `result.plot`."""
