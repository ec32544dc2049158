/** Use of an exported policy in Python, as it is written beside the policies; a test runs it. */
export const ONNX_EXAMPLE = `"""Lets an exported policy act. Needs numpy and onnxruntime: pip install numpy onnxruntime"""
import json
import pathlib

import numpy
import onnxruntime

FOLDER = pathlib.Path(__file__).parent
POLICIES = json.loads((FOLDER / "policies.json").read_text(encoding="utf-8"))


class Policy:
    """A policy at work on rows, each of them one seat of one environment. It remembers what it must from step to step."""

    def __init__(self, policy, seats, folder=FOLDER):
        """policy: an entry of policies.json; seats: the seat of each row."""
        self.policy = policy
        self.session = onnxruntime.InferenceSession(str(folder / policy["file"]), providers=["CPUExecutionProvider"])
        places = [policy["seats"].index(seat) for seat in seats]
        self.identity = numpy.eye(len(policy["seats"]), dtype=numpy.float32)[places]
        self.memory = numpy.zeros((len(seats), policy["memory_size"]), dtype=numpy.float32)

    def reset(self, rows=slice(None)):
        """Forgets everything in some rows, all by default: call it where an episode starts."""
        self.memory[rows] = 0

    def run(self, observations, action_mask=None):
        """What the model gives for a step, by name. observations: [rows, observation_size]; action_mask: [rows, actions]"""
        inputs = {"observations": numpy.asarray(observations, dtype=numpy.float32)}
        if self.policy["identity_size"] > 0:
            inputs["observations"] = numpy.hstack([inputs["observations"], self.identity])
        if self.policy["masked"]:
            inputs["action_mask"] = numpy.asarray(action_mask, dtype=numpy.float32)
        if self.policy["memory_size"] > 0:
            inputs["memory"] = self.memory
        names = list(self.policy["outputs"])
        outputs = dict(zip(names, self.session.run(names, inputs)))
        self.memory = outputs.get("memory_next", self.memory).copy()
        return outputs

    def act(self, observations, action_mask=None):
        """The most probable action of each row: its number, or the numbers of a box."""
        outputs = self.run(observations, action_mask)
        return outputs["logits"].argmax(axis=1) if "logits" in outputs else outputs["action"]


def probabilities(logits):
    """softmax; an action that a mask takes out has probability 0 exactly."""
    weights = numpy.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    description = POLICIES[0]
    seats = description["seats"]
    policy = Policy(description, seats)
    observations = numpy.zeros((len(seats), description["observation_size"]))
    mask = numpy.ones((len(seats), len(description["actions"])))
    for seat, action in zip(seats, policy.act(observations, mask)):
        what = description["actions"][action] if description["action_space"]["kind"] == "discrete" else action.tolist()
        print(f"seat {seat} ({description['role']}): {what}")
`;
