"""Reviewers who fill in ballots while the server is killed again and again."""
