"""Readers and writers of each conference system's files, and of plain tables."""
