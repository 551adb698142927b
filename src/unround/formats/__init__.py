"""Conference systems' files, read and written. Only here, in cli, console and lab are files touched."""
