"""Steps from one version of the tables to the next, run when the console starts."""
