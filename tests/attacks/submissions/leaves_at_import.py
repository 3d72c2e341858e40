# Tries: sys.exit(0) while the file is imported.
# Must not happen: the early end counts as a pass, or the batch ends.
# Outcome: not_loadable
# Softmax: skipped
# Others: skipped
import sys
#: right

sys.exit(0)
