"""unround against a slow, obvious program written from the paper, on random conferences."""
