"""What a command tells the shell, and its user, when it ends."""

REFUSED = 1  # the input is refused
WRONG_USAGE = 2
NOT_SOLVED = 3  # not to the promised bound
NOT_POSSIBLE = 4  # the system refused: disk full, permission denied, too little memory
OWN_ERROR = 70  # an error of unround itself
INTERRUPTED = 130  # by Ctrl+C
UNREAD = 141  # whoever read what it printed is gone, as a shell tells it of other programs

# Every command writes so; one that leaves something else behind says that instead.
WHOLE = "What it was asked to write is there whole or not at all."
