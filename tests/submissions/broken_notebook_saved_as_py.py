# ---
# name: broken_notebook_saved_as_py
# functions_right: []
# functions_wrong: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# mistake: "the JSON of a notebook under the name of a Python file"
# kind: broken-file
# tier: 2
# note: "it compiles: null is a NameError"
# ---
{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [],
  "source": ["import numpy as np\n", "def scores(Q, K):\n", "    return Q @ K.T"]}],
 "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
