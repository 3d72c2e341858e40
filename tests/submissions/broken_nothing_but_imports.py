# ---
# name: broken_nothing_but_imports
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "the functions were left in another file"
# kind: broken-file
# tier: 1
# ---
import numpy as np
import math
