"""Checks and runs in worker processes: queue, supervisor, worker."""
