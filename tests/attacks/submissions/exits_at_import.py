# Tries: os._exit(0) while the file is imported.
# Must not happen: the early end counts as a pass, or the batch ends.
# Outcome: crashed
# Softmax: skipped
# Others: skipped
import os
#: right

os._exit(0)
