"""Problem + λ + scores -> a proven error bound, and the reasons for every move. Imports no solver."""

from unround.certificate.bound import Certificate, certify, rounding_bound

__all__ = ["Certificate", "certify", "rounding_bound"]
