"""Containers of bytes: text, JSON, XML, spreadsheets, archives, and files written whole or not at all."""
