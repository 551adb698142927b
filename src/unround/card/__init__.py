"""An NVIDIA GPU as solver and certificate see it: launches, extents, reviews by paper. Knows no method."""
