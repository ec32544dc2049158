"""One environment of a batch."""

import numpy


class Slot:
    """One environment of a batch with its rows of the reply."""

    def __init__(self, layout, rewards, observations, masks):
        self.layout, self.rewards, self.observations, self.masks = layout, rewards, observations, masks
        self.environment = None
        self.is_running = False
        self.key = None

    def reset(self, seed):
        self.rewards[:] = 0
        if self.layout.is_single:
            observation, info = self.environment.reset(seed=seed)
            self.see({"agent": observation}, {"agent": info})
        else:
            self.see(*self.environment.reset(seed=seed))
        self.is_running = True

    def step(self, actions):
        """@param actions of every seat @returns whether the episode is over by the task, and whether it was cut off"""
        if self.layout.is_single:
            observation, reward, ended, cut, info = self.environment.step(self.taken(0, actions[0]))
            self.rewards[0] = reward
            self.see({"agent": observation}, {"agent": info})
            self.is_running = not (ended or cut)
            return bool(ended), bool(cut) and not ended
        environment, names = self.environment, self.layout.names
        present = environment.agents
        given = {name: self.taken(seat, actions[seat]) for seat, name in enumerate(names) if name in present}
        observations, rewards, ended, cut, infos = environment.step(given)
        for seat, name in enumerate(names):
            self.rewards[seat] = rewards.get(name, 0)
        self.see(observations, infos)
        self.is_running = bool(environment.agents) and not all(ended[name] or cut[name] for name in ended)
        if self.is_running:
            return False, False
        is_ended = all(ended.values())
        return is_ended, not is_ended

    def taken(self, seat, action):
        convert = self.layout.convert[seat]
        return action if convert is None else convert(action)

    def see(self, observations, infos):
        layout = self.layout
        acting = self.environment.unwrapped.agent_selection if layout.is_turn_based else None
        for seat, name in enumerate(layout.names):
            row = self.observations[seat]
            observation = observations.get(name)
            mask = None
            if observation is None:
                row[:] = 0
            else:
                if layout.inner[seat]:
                    observation, mask = observation["observation"], observation["action_mask"]
                flatten = layout.flatten[seat]
                if flatten is not None:
                    observation = flatten(observation)
                if getattr(observation, "shape", None) != row.shape:
                    shape = getattr(observation, "shape", type(observation).__name__)
                    raise ValueError(f"{name} observes {shape}, where its space says {row.shape}")
                row[:] = observation
            if self.masks is not None:
                self.note_mask(seat, name, mask, infos, observation is None or (acting is not None and acting != name))

    def note_mask(self, seat, name, mask, infos, is_idle):
        """Who has left, or whose turn it is not, may do action 0 alone: nothing is learnt of it, and it is not asked."""
        row = self.masks[seat]
        if mask is None:
            mask = infos.get(name, {}).get("action_mask")
        if is_idle or (mask is not None and not numpy.any(mask)):
            row[:] = 0
            row[0] = 1
        elif mask is None:
            row[:] = 1
        else:
            row[:] = mask
