"""The choice of λ: quantization validation ("auto", the paper's) or simulation ("auto+")."""
