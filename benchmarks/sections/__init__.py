"""What is measured: one module per section of the report."""
