"""PPO in plain PyTorch on the simulators of Thaw: one network for all seats of a role."""

import warnings

import numpy
import onnx
import thaw_trainer
import torch
from torch import nn

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
ROLE = "agent"
DEFAULTS = {
    "environments": 64,
    "hidden": 64,
    "learning_rate": 3e-3,
    "gamma": 0.95,
    "lambda": 0.9,
    "clip": 0.2,
    "entropy": 0.005,
    "epochs": 4,
    "minibatches": 4,
}


def network(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, outputs))


def play_block(world, steps, actor, critic, settings):
    """So many steps of every environment. Returns rows of the learning seats: seen, action, log probability, advantage, return."""
    blocks = {name: [] for name in ("seen", "action", "log", "value", "next", "reward", "over", "learns")}
    for _ in range(steps):
        seen = torch.from_numpy(world.observations[ROLE].copy())
        with torch.no_grad():
            choice = torch.distributions.Categorical(logits=actor(seen))
            action = choice.sample()
            blocks["value"].append(critic(seen)[..., 0])
        learns = world.seats == thaw_trainer.LEARNER
        step = world.step({ROLE: action.numpy()})
        with torch.no_grad():
            following = critic(torch.from_numpy(step.final[ROLE].copy()))[..., 0]
        ended = torch.from_numpy(step.ended.astype(numpy.float32))[:, None]
        blocks["seen"].append(seen)
        blocks["action"].append(action)
        blocks["log"].append(choice.log_prob(action))
        blocks["next"].append(following * (1 - ended))
        blocks["reward"].append(torch.from_numpy(step.rewards.copy()))
        blocks["over"].append(torch.from_numpy((step.ended | step.truncated).astype(numpy.float32))[:, None])
        blocks["learns"].append(torch.from_numpy(learns))
    block = {name: torch.stack(values) for name, values in blocks.items()}
    surprise = block["reward"] + settings["gamma"] * block["next"] - block["value"]
    advantage, following = torch.zeros_like(surprise), torch.zeros_like(surprise[0])
    for index in reversed(range(steps)):
        following = surprise[index] + settings["gamma"] * settings["lambda"] * (1 - block["over"][index]) * following
        advantage[index] = following
    rows = block["learns"].reshape(-1)
    flat = lambda values: values.reshape(len(rows), *values.shape[3:])[rows]
    return [flat(each) for each in (block["seen"], block["action"], block["log"], advantage, advantage + block["value"])]


def improve(parts, actor, critic, optimizer, settings):
    losses = []
    for _ in range(settings["epochs"]):
        for chosen in torch.randperm(len(parts[0])).chunk(settings["minibatches"]):
            seen, action, before, advantage, target = (part[chosen] for part in parts)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            choice = torch.distributions.Categorical(logits=actor(seen))
            ratio = (choice.log_prob(action) - before).exp()
            clipped = ratio.clamp(1 - settings["clip"], 1 + settings["clip"])
            entropy = choice.entropy().mean()
            error = ((critic(seen)[:, 0] - target) ** 2).mean()
            loss = -torch.minimum(ratio * advantage, clipped * advantage).mean() - settings["entropy"] * entropy + 0.5 * error
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            optimizer.step()
            losses.append((loss.item(), entropy.item()))
    loss, entropy = numpy.mean(losses, 0)
    return {"loss": loss, "entropy": entropy}


def exported(actor, inputs):
    """The actor as ONNX. The exporter writes down in which folder it ran; without that, equal weights are equal files."""
    names = {"input_names": ["observations"], "output_names": ["logits"]}
    shapes = {"input": {0: torch.export.Dim("rows")}}
    example = (torch.zeros(2, inputs),)
    torch.onnx.export(actor.eval(), example, "policy.onnx", dynamic_shapes=shapes, external_data=False, verbose=False, **names)
    model = onnx.load("policy.onnx")
    for part in [model, model.graph, *model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output]:
        part.ClearField("metadata_props")
    return model.SerializeToString(deterministic=True)


def main():
    task = thaw_trainer.read_task()
    settings = {**DEFAULTS, **task.settings}
    torch.manual_seed(task.round_seed)
    group = task.group(ROLE)
    actor = network(group["observation_size"], settings["hidden"], group["actions"]["count"])
    critic = network(group["observation_size"], settings["hidden"], 1)
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], settings["learning_rate"])
    kept = {"actor": actor, "critic": critic, "optimizer": optimizer}
    if task.checkpoint is not None:
        stored = torch.load(task.checkpoint / "state.pt", weights_only=True)
        for name, part in kept.items():
            part.load_state_dict(stored[name])
    world = task.world(settings["environments"])
    while world.steps_left > 0:
        metrics = improve(play_block(world, task.episode_steps_max, actor, critic, settings), actor, critic, optimizer, settings)
        if not numpy.isfinite(metrics["loss"]):
            return task.diverged("loss")
        task.report(metrics=metrics)
    torch.save({name: part.state_dict() for name, part in kept.items()}, task.save_folder / "state.pt")
    task.save(policies={ROLE: exported(actor, group["observation_size"])})


main()
