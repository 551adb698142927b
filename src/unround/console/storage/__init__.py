"""The database, its tables and migrations, stored results and uploaded files."""
