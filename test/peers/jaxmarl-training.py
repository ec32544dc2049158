"""IPPO with shared parameters in the style of PureJaxRL on JaxMARL's MPE_simple_spread_v3, three agents.

The return is that of the team in MPE2's scale: JaxMARL pays 0.5 * G + 0.5 * c_i to each agent, as MPE2 does, and the three are
added up. `max_steps=24` because JaxMARL 0.2.0 ends an episode one step late: 25 would make it 26 steps.
Prints one line of JSON; compiling is timed apart.
"""

import argparse
import time

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=0, help="env steps to train; 0: as many as --seconds allow")
parser.add_argument("--seconds", type=float, default=15)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--envs", type=int, default=256)
parser.add_argument("--horizon", type=int, default=25)
parser.add_argument("--minibatches", type=int, default=32)
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--lr", type=float, default=3e-3)
parser.add_argument("--anneal", type=int, default=1, help="1: the learning rate goes to 0 in a straight line")
parser.add_argument("--entropy", type=float, default=0.003)
parser.add_argument("--gamma", type=float, default=0.95)
parser.add_argument("--lam", type=float, default=0.9)
parser.add_argument("--clip", type=float, default=0.3)
parser.add_argument("--identity", type=int, default=0, help="1: a one-hot of the agent is part of what it sees")
parser.add_argument("--value-scale", type=float, default=1, help="rewards are divided by it where they are learnt from")
parser.add_argument("--bootstrap", type=int, default=0, help="1: the time limit does not end what is expected")
parser.add_argument("--episodes", type=int, default=1024, help="of the evaluation at the end")
options = parser.parse_args()

import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import jaxmarl
import numpy as np
import optax
from flax.linen.initializers import constant, orthogonal
from flax.training.train_state import TrainState

from measured import emit

env = jaxmarl.make("MPE_simple_spread_v3", max_steps=24)
ENVS, HORIZON, AGENTS = options.envs, options.horizon, env.num_agents
SAMPLES = ENVS * AGENTS
NAMES = env.agents
PER_ITERATION = ENVS * HORIZON
ITERATIONS = max(1, round(options.steps / PER_ITERATION)) if options.steps else 10**6
EPISODE = 25


class ActorCritic(nn.Module):
    @nn.compact
    def __call__(self, x):
        def perceptron(x, out, scale):
            for _ in range(2):
                x = nn.tanh(nn.Dense(64, kernel_init=orthogonal(np.sqrt(2)), bias_init=constant(0.0))(x))
            return nn.Dense(out, kernel_init=orthogonal(scale), bias_init=constant(0.0))(x)

        return perceptron(x, 5, 0.01), perceptron(x, 1, 1.0)[..., 0]


def flat(by_agent):
    return jnp.concatenate([by_agent[name] for name in NAMES], 0)


def seen(observations):
    x = flat(observations)
    if not options.identity:
        return x
    return jnp.concatenate([x, jnp.repeat(jnp.eye(AGENTS), x.shape[0] // AGENTS, 0)], 1)


def rate(count):
    done = count // (options.minibatches * options.epochs) / ITERATIONS
    return options.lr * (1.0 - done) if options.anneal else options.lr


network = ActorCritic()
key = jax.random.PRNGKey(options.seed)
key, weights_key, reset_key = jax.random.split(key, 3)
observations, states = jax.vmap(env.reset)(jax.random.split(reset_key, ENVS))
weights = network.init(weights_key, seen(observations)[:1])
optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))
train_state = TrainState.create(apply_fn=network.apply, params=weights, tx=optimizer)


def play(train_state, states, observations, key):
    def step(carry, _):
        states, observations, key = carry
        key, action_key, step_key = jax.random.split(key, 3)
        x = seen(observations)
        logits, values = train_state.apply_fn(train_state.params, x)
        actions = jax.random.categorical(action_key, logits)
        log_probabilities = jnp.take_along_axis(jax.nn.log_softmax(logits), actions[:, None], 1)[:, 0]
        by_agent = actions.reshape(AGENTS, ENVS)
        given = {name: by_agent[index] for index, name in enumerate(NAMES)}
        if options.bootstrap:
            # What follows the last step of an episode, before the environment is started anew.
            following, _, _, _, _ = jax.vmap(env.step_env)(jax.random.split(step_key, ENVS), states, given)
            next_values = train_state.apply_fn(train_state.params, seen(following))[1]
        observations, states, rewards, dones, _ = jax.vmap(env.step)(jax.random.split(step_key, ENVS), states, given)
        done = jnp.tile(dones["__all__"], AGENTS).astype(jnp.float32)
        reward = flat(rewards) / options.value_scale
        if options.bootstrap:
            reward = reward + options.gamma * next_values * done
        sample = dict(x=x, action=actions, log_probability=log_probabilities, value=values, reward=reward, done=done)
        return (states, observations, key), sample

    return jax.lax.scan(step, (states, observations, key), None, HORIZON)


def with_advantages(trajectory, last_values):
    def back(carry, sample):
        advantage, next_value = carry
        alive = 1 - sample["done"]
        delta = sample["reward"] + options.gamma * next_value * alive - sample["value"]
        advantage = delta + options.gamma * options.lam * alive * advantage
        return (advantage, sample["value"]), advantage

    _, advantages = jax.lax.scan(back, (jnp.zeros(SAMPLES), last_values), trajectory, reverse=True)
    data = dict(trajectory, advantage=advantages, target=advantages + trajectory["value"])
    return jax.tree.map(lambda y: y.reshape((HORIZON * SAMPLES,) + y.shape[2:]), data)


def loss(weights, apply, batch):
    logits, values = apply(weights, batch["x"])
    log_softmax = jax.nn.log_softmax(logits)
    taken = jnp.take_along_axis(log_softmax, batch["action"][:, None], 1)[:, 0]
    ratio = jnp.exp(taken - batch["log_probability"])
    advantage = (batch["advantage"] - batch["advantage"].mean()) / (batch["advantage"].std() + 1e-8)
    clipped = jnp.clip(ratio, 1 - options.clip, 1 + options.clip)
    policy_loss = -jnp.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = 0.5 * jnp.square(values - batch["target"]).mean()
    entropy = -(jnp.exp(log_softmax) * log_softmax).sum(-1).mean()
    return policy_loss + 0.5 * value_loss - options.entropy * entropy


def iteration(carry):
    train_state, states, observations, key = carry
    (states, observations, key), trajectory = play(train_state, states, observations, key)
    _, last_values = train_state.apply_fn(train_state.params, seen(observations))
    data = with_advantages(trajectory, last_values)

    def epoch(carry, _):
        train_state, key = carry
        key, order_key = jax.random.split(key)
        order = jax.random.permutation(order_key, HORIZON * SAMPLES)
        batches = jax.tree.map(lambda y: y[order].reshape((options.minibatches, -1) + y.shape[1:]), data)

        def update(state, batch):
            return state.apply_gradients(grads=jax.grad(loss)(state.params, state.apply_fn, batch)), None

        train_state, _ = jax.lax.scan(update, train_state, batches)
        return (train_state, key), None

    (train_state, key), _ = jax.lax.scan(epoch, (train_state, key), None, options.epochs)
    return train_state, states, observations, key


def evaluated(weights, key, greedy):
    """Mean and standard error of the team's return over whole episodes."""

    def step(carry, key):
        states, observations, total = carry
        action_key, step_key = jax.random.split(key)
        logits, _ = network.apply(weights, seen(observations))
        actions = jnp.where(greedy, logits.argmax(-1), jax.random.categorical(action_key, logits))
        by_agent = actions.reshape(AGENTS, options.episodes)
        given = {name: by_agent[index] for index, name in enumerate(NAMES)}
        keys = jax.random.split(step_key, options.episodes)
        observations, states, rewards, dones, _ = jax.vmap(env.step)(keys, states, given)
        return (states, observations, total + sum(rewards.values())), dones["__all__"]

    reset_key, play_key = jax.random.split(key)
    observations, states = jax.vmap(env.reset)(jax.random.split(reset_key, options.episodes))
    start = (states, observations, jnp.zeros(options.episodes))
    (_, _, total), ended = jax.lax.scan(step, start, jax.random.split(play_key, EPISODE))
    return total.mean(), total.std(ddof=1) / jnp.sqrt(options.episodes), ended[-1].all()


carry = (train_state, states, observations, key)
started = time.perf_counter()
train = jax.jit(iteration).lower(carry).compile()
compile_s = time.perf_counter() - started
if not options.steps:
    carry = train(carry)
    jax.block_until_ready(carry)
done = 0
started = time.perf_counter()
while done < ITERATIONS and (options.steps or time.perf_counter() - started < options.seconds):
    carry = train(carry)
    jax.block_until_ready(carry[0].params)
    done += 1
wall_s = time.perf_counter() - started
evaluate = jax.jit(evaluated)
greedy, greedy_error, whole = evaluate(carry[0].params, jax.random.PRNGKey(10_000), True)
sampled, _, _ = evaluate(carry[0].params, jax.random.PRNGKey(10_000), False)
assert bool(whole), "an episode of the evaluation did not end with its last step"
emit(
    name="JaxMARL, IPPO in the style of PureJaxRL",
    version=f"jaxmarl {jaxmarl.__version__}, jax {jax.__version__}, flax {flax.__version__}, optax {optax.__version__}",
    env_steps=done * PER_ITERATION,
    wall_s=wall_s,
    compile_s=compile_s,
    optimizer_steps=done * options.epochs * options.minibatches,
    return_mean=float(greedy),
    return_standard_error=float(greedy_error),
    return_sampled=float(sampled),
)
