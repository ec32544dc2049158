"""Policy gradient with a perceptron of numpy: REINFORCE, with the mean of all environments at the same step as its baseline."""

import os

# One thread: sums in another order would be other numbers, and a killed round would not come out the same.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy
import thaw_trainer
from onnx_mlp import perceptron

ROLE = "agent"


class Policy:
    """softmax of a perceptron with one hidden layer, and what Adam remembers of it."""

    def __init__(self, inputs, hidden, outputs, random):
        draw = lambda rows, columns, scale: random.normal(0, scale / numpy.sqrt(rows), (rows, columns))
        self.weights = [draw(inputs, hidden, 1.0), numpy.zeros(hidden), draw(hidden, outputs, 0.1), numpy.zeros(outputs)]
        self.first = [numpy.zeros_like(each) for each in self.weights]
        self.second = [numpy.zeros_like(each) for each in self.weights]
        self.steps = 0

    def probabilities(self, observations):
        first, bias, second, other = self.weights
        hidden = numpy.tanh(observations @ first + bias)
        logits = hidden @ second + other
        chances = numpy.exp(logits - logits.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True)

    def improve(self, observations, actions, advantages, learning_rate, entropy):
        """One step up the gradient of mean(advantage · log π(action)) + entropy bonus."""
        hidden, chances = self.probabilities(observations)
        logs = numpy.log(chances + 1e-12)
        surprise = -(chances * logs).sum(1, keepdims=True)
        taken = numpy.eye(chances.shape[1])[actions]
        slope = (advantages[:, None] * (taken - chances) - entropy * chances * (logs + surprise)) / len(actions)
        inner = (slope @ self.weights[2].T) * (1 - hidden**2)
        gradients = [observations.T @ inner, inner.sum(0), hidden.T @ slope, slope.sum(0)]
        self.steps += 1
        for weight, first, second, gradient in zip(self.weights, self.first, self.second, gradients):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            scale = numpy.sqrt(second / (1 - 0.999**self.steps)) + 1e-8
            weight += learning_rate * first / (1 - 0.9**self.steps) / scale
        return float(surprise.mean())

    def save(self, folder):
        arrays = [*self.weights, *self.first, *self.second, numpy.array(self.steps)]
        numpy.savez(folder / "policy.npz", *arrays)

    def load(self, folder):
        with numpy.load(folder / "policy.npz") as stored:
            arrays = [stored[name] for name in stored.files]
        count = len(self.weights)
        self.weights, self.first, self.second = arrays[:count], arrays[count : 2 * count], arrays[2 * count : 3 * count]
        self.steps = int(arrays[-1])

    def onnx(self):
        first, bias, second, other = self.weights
        return perceptron([(first, bias), (second, other)])


def play_block(world, policy, steps, random, discount):
    """So many steps of every environment. Returns rows of the learning seats: observations, actions, advantages."""
    seen, done, rewards, learning, over = [], [], [], [], []
    for _ in range(steps):
        observations = world.observations[ROLE].astype(float)
        count, seats, features = observations.shape
        _, chances = policy.probabilities(observations.reshape(-1, features))
        draws = random.random((count * seats, 1))
        actions = (chances.cumsum(1)[:, :-1] < draws).sum(1).reshape(count, seats)
        seen.append(observations)
        done.append(actions)
        learning.append(world.seats == thaw_trainer.LEARNER)
        step = world.step({ROLE: actions})
        rewards.append(step.rewards.astype(float))
        over.append((step.ended | step.truncated).astype(float)[:, None])
    returns, following = [], numpy.zeros_like(rewards[0])
    for reward, end in zip(reversed(rewards), reversed(over)):
        following = reward + discount * (1 - end) * following
        returns.insert(0, following)
    returns, learning = numpy.array(returns), numpy.array(learning)
    advantages = returns - returns.mean(1, keepdims=True)
    advantages /= advantages.std() + 1e-8
    rows = learning.reshape(-1)
    return (
        numpy.array(seen).reshape(len(rows), -1)[rows],
        numpy.array(done).reshape(-1)[rows],
        advantages.reshape(-1)[rows],
    )


def main():
    task = thaw_trainer.read_task()
    settings = {"environments": 64, "hidden": 32, "learning_rate": 0.01, "entropy": 0.01, "discount": 0.95, **task.settings}
    group = task.group(ROLE)
    random = numpy.random.default_rng(task.round_seed)
    policy = Policy(group["observation_size"], settings["hidden"], group["actions"]["count"], random)
    if task.checkpoint is not None:
        policy.load(task.checkpoint)
    world = task.world(settings["environments"])
    while world.steps_left > 0:
        rows = play_block(world, policy, task.episode_steps_max, random, settings["discount"])
        entropy = policy.improve(*rows, settings["learning_rate"], settings["entropy"])
        if not numpy.isfinite(entropy):
            return task.diverged("entropy", policy.steps)
        task.report(metrics={"entropy": entropy})
    policy.save(task.save_folder)
    task.save(policies={ROLE: policy.onnx()})


main()
