"""Finished runs as each viewer may see them: views, prewarming, downloads."""
