"""What is measured on: conferences, whole jobs, and the paper's own formulation."""
