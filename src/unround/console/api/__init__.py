"""HTTP: the layers around the routes, the routes themselves, and what monitors ask."""
