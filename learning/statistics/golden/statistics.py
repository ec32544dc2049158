"""Prints golden values of the statistics of the result table: python statistics.py > statistics.json

numpy 2.4.6, scipy 1.17.1. The interquartile mean is what rliable computes: scipy.stats.trim_mean(values, 0.25). The
intervals come from NumPy's own generator, so they agree with ours up to the noise of 50 000 resamples only.
"""

import json

import numpy as np
import scipy
from scipy import stats

RESAMPLES = 50_000
values = [-7.03, -12.31, -9.5, -8.25, -11.0, -6.75, -10.125, -9.0, -7.5, -40.0]
train = [6.9, 7.1, 6.5, 7.4, 6.8, 0.3]
heldout = [1.7, 2.2, 1.1, 2.6, 1.9, -0.8]

rng = np.random.default_rng(0)
means = rng.choice(values, size=(RESAMPLES, len(values))).mean(axis=1)
picks = rng.integers(0, len(train), size=(RESAMPLES, len(train)))
gaps = 1 - np.asarray(heldout)[picks].sum(axis=1) / np.asarray(train)[picks].sum(axis=1)

print(
    json.dumps(
        {
            "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
            "values": values,
            "mean": float(np.mean(values)),
            "std": float(np.std(values, ddof=1)),
            "iqm": float(stats.trim_mean(values, 0.25)),
            "mean_interval": np.percentile(means, [2.5, 97.5]).tolist(),
            "train_gains": train,
            "heldout_gains": heldout,
            "pooled_gap": float(1 - sum(heldout) / sum(train)),
            "pooled_gap_interval": np.percentile(gaps, [2.5, 97.5]).tolist(),
            "quantile_share": 0.3,
            "quantile": float(np.quantile(values, 0.3)),
        },
        indent=2,
    )
)
