"""What every script here prints at its end: one line of JSON, with the memory that it took."""

import json
import resource
import sys


def emit(**figures):
    figures["peak_rss_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.flush()
    print(json.dumps(figures), flush=True)
