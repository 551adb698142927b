"""Dataframes -> ReviewSet: columns, ids, scores and statements, read and checked."""
