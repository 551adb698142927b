"""Read and write conference systems' files. Only formats, runs, report, lab, cli and console touch files."""
