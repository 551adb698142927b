"""Other people's methods, in our own code: each takes Evidence and scores reviews or papers."""
