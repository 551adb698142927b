"""How it is measured: fresh processes, timing, the plan and the report."""
