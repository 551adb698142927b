"""Studies that lie beside the package: `unround reproduce studies/NAME`."""
