"""Who may see and do what: links, sessions, permissions, the audit log."""
