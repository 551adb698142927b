"""What the API takes and answers: pydantic models, one module per subject."""
