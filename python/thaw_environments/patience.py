"""How long one environment may take; then all stacks are printed, and SIGALRM ends the process."""

import os
import signal

# For a step or a reset.
PATIENCE_S = int(os.environ.get("THAW_ENVIRONMENT_PATIENCE_S") or 60)
# The first environment of a kind brings its packages, which may take long to import.
START_PATIENCE_S = max(60, PATIENCE_S)


def be_patient(is_waiting, seconds=PATIENCE_S):
    signal.setitimer(signal.ITIMER_REAL, seconds if is_waiting else 0)
