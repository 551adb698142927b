"""Audits of a run: what area chairs could find out, what one reviewer can do, how groups fare.

Each takes a result, or the folder that `result.save(folder)` or `unround run` wrote.
"""

from unround.audit.groups.audit import audit_groups
from unround.audit.influence.audit import audit_influence
from unround.audit.privacy.audit import audit_privacy

__all__ = ["audit_groups", "audit_influence", "audit_privacy"]
