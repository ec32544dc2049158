"""PPO of Stable-Baselines3 on the simulators of Thaw: every learning seat of every environment is one environment of a VecEnv."""

import warnings

import gymnasium
import numpy
import thaw_trainer
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
ROLE = "agent"


class ThawVecEnv(VecEnv):
    """The pool of a round, where the same seats learn in every simulator."""

    def __init__(self, task, environments):
        group = task.group(ROLE)
        self.places = [place for place, seat in enumerate(group["seats"]) if seat in task.learners]
        for simulator in task.simulators:
            if not simulator["learns"] or simulator["learners"] != task.learners:
                raise SystemExit(f"in {simulator['name']} other seats learn than elsewhere, which a VecEnv cannot say")
        self.world = task.world(environments)
        seen = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (group["observation_size"],), numpy.float32)
        actions = gymnasium.spaces.Discrete(group["actions"]["count"])
        super().__init__(environments * len(self.places), seen, actions)

    def rows(self, array):
        """[B, G, ...] -> one row for each learning seat of each environment."""
        return numpy.array(array[:, self.places]).reshape(self.num_envs, *array.shape[2:])

    def reset(self):
        return self.rows(self.world.observations[ROLE])

    def step_async(self, actions):
        joint = numpy.zeros(self.world.observations[ROLE].shape[:2], numpy.int32)
        joint[:, self.places] = actions.reshape(-1, len(self.places))
        self.chosen = joint

    def step_wait(self):
        step = self.world.step({ROLE: self.chosen})
        each = len(self.places)
        truncated = numpy.repeat(step.truncated, each).astype(bool)
        done = numpy.repeat(step.ended, each).astype(bool) | truncated
        final = self.rows(step.final[ROLE])
        infos = [{} for _ in range(self.num_envs)]
        for row in numpy.flatnonzero(done):
            infos[row] = {"terminal_observation": final[row], "TimeLimit.truncated": bool(truncated[row])}
        return self.rows(self.world.observations[ROLE]), self.rows(step.rewards), done, infos

    def close(self):
        pass

    def get_attr(self, name, indices=None):
        return [getattr(self, name, None)] * self.num_envs

    def set_attr(self, name, value, indices=None):
        raise NotImplementedError

    def env_method(self, name, *args, indices=None, **more):
        raise NotImplementedError

    def env_is_wrapped(self, wrapper, indices=None):
        return [False] * self.num_envs


class Actor(torch.nn.Module):
    """Observations to logits, without the critic."""

    def __init__(self, policy):
        super().__init__()
        self.hidden, self.action = policy.mlp_extractor.policy_net, policy.action_net

    def forward(self, observations):
        return self.action(self.hidden(observations))


def main():
    task = thaw_trainer.read_task()
    settings = {"environments": 64, "batch_size": 400, "n_epochs": 4, "learning_rate": 3e-3, "gamma": 0.95, **task.settings}
    environments = settings.pop("environments")
    env = ThawVecEnv(task, environments)
    steps = task.episode_steps_max
    rollouts = task.env_steps // (steps * environments)
    if task.checkpoint is None:
        model = PPO("MlpPolicy", env, n_steps=steps, seed=task.round_seed, device="cpu", **settings)
    else:
        model = PPO.load(task.checkpoint / "model.zip", env=env, device="cpu")
        model.set_random_seed(task.round_seed)
    model.learn(rollouts * steps * env.num_envs, reset_num_timesteps=False)
    task.report(metrics={name.removeprefix("train/"): value for name, value in model.logger.name_to_value.items() if name.startswith("train/")})
    model.save(task.save_folder / "model.zip")
    example = (torch.zeros(2, env.observation_space.shape[0]),)
    rows = {0: torch.export.Dim("rows")}
    names = {"input_names": ["observations"], "output_names": ["logits"], "dynamic_shapes": (rows,)}
    torch.onnx.export(Actor(model.policy).eval(), example, "policy.onnx", external_data=False, verbose=False, **names)
    task.save(policies={ROLE: "policy.onnx"})


main()
