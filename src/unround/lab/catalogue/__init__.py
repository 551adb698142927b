"""What studies can name: data sets, methods and metrics that come with unround."""
