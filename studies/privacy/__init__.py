"""What the pages of area chairs give away, and what they are still good for.

`python -m studies.privacy` rewrites PRIVACY.md, `python -m studies.privacy.worlds` WORLDS.md; the docs for
area chairs and on security quote both.
"""
