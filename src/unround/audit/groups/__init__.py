"""How groups of papers, reviewers or reviews fare in a run: a run folder and a column -> a row per group."""
