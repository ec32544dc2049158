/** Use of an exported policy in Python, as it is written beside the policies; a test runs it. */
export const ONNX_EXAMPLE = `"""Lets an exported policy act. Needs numpy and onnxruntime: pip install numpy onnxruntime"""
import json
import pathlib

import numpy
import onnxruntime

FOLDER = pathlib.Path(__file__).parent
POLICIES = json.loads((FOLDER / "policies.json").read_text(encoding="utf-8"))


def act(session, policy, observations, seats):
    """The most probable action of each row. observations: [rows, observation_size]; seats: the seat of each row."""
    rows = numpy.asarray(observations, dtype=numpy.float32)
    if policy["identity_size"] > 0:
        places = [policy["seats"].index(seat) for seat in seats]
        rows = numpy.hstack([rows, numpy.eye(policy["identity_size"], dtype=numpy.float32)[places]])
    (logits,) = session.run(["logits"], {"observations": rows})
    return logits.argmax(axis=1)


if __name__ == "__main__":
    policy = POLICIES[0]
    session = onnxruntime.InferenceSession(str(FOLDER / policy["file"]), providers=["CPUExecutionProvider"])
    seats = policy["seats"]
    actions = act(session, policy, numpy.zeros((len(seats), policy["observation_size"])), seats)
    for seat, action in zip(seats, actions):
        print(f"seat {seat} ({policy['role']}): {policy['actions'][action]}")
`;
