"""What a command tells the shell, and its user, when it ends."""

REFUSED = 1  # the input is refused
WRONG_USAGE = 2
NOT_SOLVED = 3  # not to the promised bound
NOT_POSSIBLE = 4  # the system refused: disk full, permission denied, too little memory
OWN_ERROR = 70  # an error of unround itself
INTERRUPTED = 130  # by Ctrl+C
STOPPED = 143  # by SIGTERM
UNREAD = 141  # whoever read what it printed is gone, as a shell tells it of other programs
