"""From outcomes of trials to tidy tables, summaries and comparisons with published results."""
