"""HTTP: middleware, dependencies, routes, pages and the progress stream."""
