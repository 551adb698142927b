"""Models of the API's requests and responses, one module per noun, as in `api/routes`."""
