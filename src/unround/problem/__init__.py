"""ReviewSet -> Problem: statements become constraints, and conflicts are settled by policy."""
