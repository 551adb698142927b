"""How far single reviewers can move papers: `python -m studies.influence` rewrites INFLUENCE.md."""
