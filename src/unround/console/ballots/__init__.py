"""Collecting rankings from reviewers: collections, ballots, links and what became of them."""
