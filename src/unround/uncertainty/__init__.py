"""How sure the scores are: the posterior behind the method, and reviewers' strictness."""
