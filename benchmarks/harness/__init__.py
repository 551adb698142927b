"""The harness: fresh processes, timing, the plan and the report."""
