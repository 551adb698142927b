"""Write files and folders whole or not at all, and say why when the system refuses."""
