"""Read exports of conference systems and plain tables, and write files for these systems."""
