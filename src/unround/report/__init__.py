"""A run as people read it: what each viewer may see, and the page that shows it."""
