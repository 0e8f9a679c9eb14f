"""The companion of tilewright that draws CAD drawings."""

import os

# Without these, numpy starts a thread for each core. It would not be confined, and its stack counts as memory.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
