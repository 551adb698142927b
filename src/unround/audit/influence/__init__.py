"""Can it be gamed: how far single reviewers could move papers, by their scores and by their rankings."""
