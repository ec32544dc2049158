"""Environments of one kind, with rules that are arguments or attributes."""

import json

from .named import MAKERS

# Environments that wait for their next use, for every batch that is open.
IDLE_MAX = 512


class Environments:
    """Makes environments of one kind, and keeps those that are idle for whoever needs the same next."""

    def __init__(self, settings):
        self.settings = settings
        self.make = MAKERS[settings["family"]]
        # Names that are arguments, and names that are attributes, with where each stands among the rules.
        self.rules = list(settings["rules"].items())
        self.idle = {}
        self.idle_count = 0

    def value(self, rule, number):
        if "choices" in rule:
            return rule["choices"][int(number)]
        return int(number) if rule.get("integer") else float(number)

    def place(self, slot, numbers):
        """Gives a slot an environment with these rules: its own if that has them, an idle one, or a new one."""
        values = [self.value(rule, number) for (_, rule), number in zip(self.rules, numbers)]
        arguments = {name: value for (name, rule), value in zip(self.rules, values) if "attribute" not in rule}
        key = json.dumps(arguments)
        if slot.environment is None or slot.key != key:
            self.take_back(slot)
            waiting = self.idle.get(key)
            if waiting:
                slot.environment = waiting.pop()
                self.idle_count -= 1
            else:
                slot.environment = self.make(self.settings["environment"], {**self.settings["arguments"], **arguments})
            slot.key = key
        for (_, rule), value in zip(self.rules, values):
            if "attribute" in rule:
                setattr(*attribute_owner(slot.environment, rule["attribute"]), value)

    def take_back(self, slot):
        if slot.environment is None:
            return
        if self.idle_count >= IDLE_MAX:
            oldest = next(iter(self.idle))
            for environment in self.idle.pop(oldest):
                environment.close()
                self.idle_count -= 1
        # The key that was used last goes to the end, so that what nobody needs any more is closed first.
        waiting = self.idle.pop(slot.key, [])
        waiting.append(slot.environment)
        self.idle[slot.key] = waiting
        self.idle_count += 1
        slot.environment = None


def attribute_owner(environment, path):
    *parts, last = path.split(".")
    owner = environment.unwrapped
    for part in parts:
        owner = getattr(owner, part)
    return owner, last
