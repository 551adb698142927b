"""Programs for processes of their own: each measures one thing and prints it as JSON."""
