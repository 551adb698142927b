"""One module per command, loaded when the command is called."""
