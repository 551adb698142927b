"""Near-valid files by the thousand: every reader reads them like a slow, plain reading, or refuses.

`make fuzz` writes files that are nearly valid, reads them, and reports every traceback and every difference
from a plain reading of the same file: a review or statement that the file does not hold at the place it is
said to come from, another score, or records that are neither read nor told as left out.
"""
