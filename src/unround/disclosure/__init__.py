"""What each viewer of a run may see: a chair everything, an area chair their papers."""
