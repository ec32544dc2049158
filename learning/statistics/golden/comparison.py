"""Prints golden values of the statistics between variants: python comparison.py > comparison.json

rliable 1.2.0, numpy 2.4.6, scipy 1.17.1, arch 7.2.0 (pip install rliable==1.2.0 "pandas<3"). Point values are computed, so
ours agree to 1e-9; intervals come from NumPy's generator and agree up to the noise of the resamples. rliable takes its
median over the means of tasks; of one task the median over runs is NumPy's, and its interval is made here as rliable makes
the others.
"""

import json
from importlib.metadata import version

import numpy as np
from rliable import library, metrics
from scipy import stats

RESAMPLES = 50_000
# Each of these calls Mann and Whitney's test of scipy for every task.
IMPROVEMENT_RESAMPLES = 10_000
np.random.seed(0)
# Rounded to a tenth, so that some values are tied: runs x tasks.
first = np.round(np.random.normal([-20.0, 5.0, 60.0], [1.5, 2.0, 8.0], size=(8, 3)), 1)
second = np.round(np.random.normal([-21.0, 5.0, 55.0], [1.0, 3.0, 12.0], size=(6, 3)), 1)
second[0, 0] = first[0, 0]
second[1, 0] = first[0, 0]


def interval(scores, function, reps=RESAMPLES):
    _, ends = library.get_interval_estimates({"key": scores}, lambda *x: np.array([function(*x)]), reps=reps)
    return ends["key"].ravel().tolist()


def aggregate(scores):
    one = scores[:, :1]
    return {
        "mean": float(metrics.aggregate_mean(scores)),
        "mean_interval": interval(scores, metrics.aggregate_mean),
        "iqm": float(metrics.aggregate_iqm(scores)),
        "iqm_interval": interval(scores, metrics.aggregate_iqm),
        "median_of_task_means": float(metrics.aggregate_median(scores)),
        "first_task_iqm": float(metrics.aggregate_iqm(one)),
        "first_task_iqm_interval": interval(one, metrics.aggregate_iqm),
        "first_task_median": float(np.median(one)),
        "first_task_median_interval": interval(one, np.median),
    }


def profile(scores, thresholds):
    distributions, _ = library.create_performance_profile({"key": scores}, thresholds, reps=10)
    return distributions["key"].tolist()


def wilcoxon(differences, method):
    return {"differences": list(differences), "p": float(stats.wilcoxon(differences, method=method).pvalue)}


def welch(x, y):
    return {"first": list(x), "second": list(y), "p": float(stats.ttest_ind(x, y, equal_var=False).pvalue)}


thresholds = [-25.0, -20.0, 0.0, 4.5, 30.0, 62.0, 90.0]
spread = np.round(np.random.normal(0.4, 1.0, size=150), 6)
tied = [1.0, -1.0, 2.0, 2.0, 2.0, -3.0, 4.0, 0.0, 0.0, 5.0]
signs = np.array(np.meshgrid(*[[-1, 1]] * 8)).reshape(8, -1).T
ranks = stats.rankdata(np.abs([d for d in tied if d != 0]))
sums = (signs > 0) @ ranks
observed = ranks[[d > 0 for d in tied if d != 0]].sum()

print(
    json.dumps(
        {
            "versions": {name: version(name) for name in ["rliable", "numpy", "scipy", "arch"]},
            "first": first.T.tolist(),
            "second": second.T.tolist(),
            "first_aggregates": aggregate(first),
            "second_aggregates": aggregate(second),
            "improvement": float(metrics.probability_of_improvement(first, second)),
            "improvement_interval": interval(
                (first, second), metrics.probability_of_improvement, reps=IMPROVEMENT_RESAMPLES
            ),
            "thresholds": thresholds,
            "profile": profile(first, np.array(thresholds)),
            "welch": [
                welch(first[:, 0], second[:, 0]),
                welch(first[:, 2], second[:, 2]),
                welch(spread[:10], spread[10:60] * 3),
                welch(spread[:5] + 40, spread[5:12]),
                welch(spread[:75], spread[75:] - 0.3),
            ],
            "wilcoxon_exact": [wilcoxon(spread[:count], "exact") for count in [5, 6, 10, 20, 50, 90]],
            "wilcoxon_normal": wilcoxon(spread, "approx"),
            "wilcoxon_tied": {
                "differences": tied,
                "p": float(min(1, 2 * min((sums >= observed).mean(), (sums <= observed).mean()))),
            },
            "normal": [[z, float(2 * stats.norm.sf(z))] for z in [0, 0.3, 1.96, 1.9999, 2.0001, 4.5, 12]],
            "student": [
                [t, freedom, float(2 * stats.t.sf(abs(t), freedom))]
                for t in [0, 0.01, -1.5, 2.4, 7, 40, 1000]
                for freedom in [1, 4.2, 9, 37.5, 1200]
            ],
        },
        indent=2,
    )
)
