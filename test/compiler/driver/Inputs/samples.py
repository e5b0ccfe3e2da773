# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# samples.py FOLDER COUNT DIM...: .npy files of that shape, values around zero, the same each time. samples.py - FILE DIM...: one file.
import os
import sys

import numpy as np

folder, count, *dims = sys.argv[1:]
dims = [int(d) for d in dims]
if folder == "-":
    os.makedirs(os.path.dirname(count), exist_ok=True)
    np.save(count, np.zeros(dims, np.float32))
else:
    os.makedirs(folder, exist_ok=True)
    for i in range(int(count)):
        np.save(os.path.join(folder, f"{i}.npy"), np.random.default_rng(i).normal(0, 1, dims).astype(np.float32))
