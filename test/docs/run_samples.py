"""Runs programs one after the other; prints, after a NUL, the failures as JSON. The arguments are the programs."""

import json
import runpy
import sys

failures = []
for file in sys.argv[1:]:
    try:
        runpy.run_path(file)
    except Exception as error:
        reason = error.read().decode() if hasattr(error, "read") else ""
        failures.append(f"{file}: {error!r} {reason}")
print("\0" + json.dumps(failures), end="")
