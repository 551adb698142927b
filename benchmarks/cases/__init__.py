"""The cases that sections measure: conferences, whole jobs, and the paper's own formulation."""
