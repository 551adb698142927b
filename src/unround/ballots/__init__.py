"""Rankings that reviewers give on ballots: what may be said, what it contradicts, what it means."""
