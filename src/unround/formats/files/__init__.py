"""Read kinds of files: delimited text, JSON, XML, spreadsheets, Parquet, archives."""
