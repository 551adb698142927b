"""Audits of a finished run: what its area chairs could find out about papers that are not theirs."""
