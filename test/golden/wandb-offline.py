"""Writes an offline run as the client of Weights & Biases does: `wandb-offline.wandb.gz`, which the reader of
`cli/export/wandb-log.test.ts` has to read before it reads ours.

    pip install wandb==0.31.0
    python test/golden/wandb-offline.py

One value of its settings is longer than a block of the log, so that there are records in several pieces.
"""

import glob
import gzip
import os
import pathlib
import tempfile

import wandb

HERE = pathlib.Path(__file__).parent

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    settings = wandb.Settings(x_disable_stats=True, x_disable_meta=True, x_disable_machine_info=True, console="off", host="somewhere")
    run = wandb.init(
        mode="offline",
        project="demo",
        id="abcd1234",
        name="pool/0",
        group="pool",
        notes="a note",
        tags=["thaw", "demo-1"],
        config={"seed": 0, "algorithm": {"name": "ippo"}, "long": "x" * 70_000},
        settings=settings,
    )
    run.define_metric("env_steps")
    run.define_metric("*", step_metric="env_steps")
    run.log({"env_steps": 0, "scores/heldout_return": -29.5, "odd": float("nan"), "endless": float("-inf")})
    run.log({"env_steps": 100, "scores/heldout_return": -20.25})
    run.finish()
    wandb.teardown()
    (log,) = glob.glob("wandb/offline-run-*/run-abcd1234.wandb")
    (HERE / "wandb-offline.wandb.gz").write_bytes(gzip.compress(pathlib.Path(log).read_bytes(), mtime=0))
