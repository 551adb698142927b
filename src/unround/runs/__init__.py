"""A run: computed from files, kept as a folder of tables and run.json, exported again."""
