"""Prints what the package overcooked-ai does in 84 episodes, for test/golden/kitchen-overcooked-ai.json.gz.

    pip install overcooked-ai==1.1.0
    python test/golden/kitchen-overcooked-ai.py | gzip -9n > test/golden/kitchen-overcooked-ai.json.gz

Of each layout some episodes start as the drawing says, others where the package's random start puts cooks and things. The
cooks act at random, or run errands that are drawn, so that everything that can happen does. An episode holds
  layout, actions [step][seat] (0 stay, 1 north, 2 south, 3 east, 4 west, 5 interact), and of the start (index 0) and
  after each step: players [step][seat] = [row, column, facing, held], objects [step] = [row, column, what, cooking]
  in reading order, cooking being 0 for what does not cook,
  and of each step: sparse [step][seat], shaped [step][seat] rewards.
"""

import json
import sys
from collections import deque
from importlib.metadata import version

import numpy as np
from overcooked_ai_py.mdp.actions import Action, Direction
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

LAYOUTS = {
    "cramped_room": "cramped_room",
    "asymmetric_advantages": "asymmetric_advantages",
    "coordination_ring": "coordination_ring",
    "forced_coordination": "forced_coordination",
    "counter_circuit": "counter_circuit_o_1order",
    "counter_circuit_tomato": "counter_circuit",
}
"""Our names, and the package's."""
EPISODES_OF_LAYOUT = 14
STEPS = 300
# As we count them: the package's STAY comes first.
ACTIONS = [Action.STAY, *Direction.ALL_DIRECTIONS, Action.INTERACT]


def item_of(thing) -> str:
    if thing is None:
        return "nothing"
    if thing.name != "soup":
        return thing.name
    return "soup_" + "".join(sorted(name[0] for name in thing.ingredients))


def look(state):
    players = [
        [p.position[1], p.position[0], Direction.DIRECTION_TO_INDEX[p.orientation], item_of(p.held_object)]
        for p in state.players
    ]
    objects = [
        [y, x, item_of(thing), max(0, thing._cooking_tick) if thing.name == "soup" and world_is_pot(x, y) else 0]
        for (x, y), thing in sorted(state.objects.items(), key=lambda entry: (entry[0][1], entry[0][0]))
    ]
    return players, objects


def first_step(mdp, player, station):
    """The action that brings a cook nearer to a station, or turns it there, or interacts; None where there is no way."""
    frontier, seen = deque([(player.position, None)]), {player.position}
    while frontier:
        place, first = frontier.popleft()
        for direction in Direction.ALL_DIRECTIONS:
            beside = Action.move_in_direction(place, direction)
            if beside == station:
                if first is not None:
                    return first
                return Action.INTERACT if player.orientation == direction else direction
            if beside not in seen and mdp.get_terrain_type_at_pos(beside) == " ":
                seen.add(beside)
                frontier.append((beside, first or direction))
    return None


def weight_of(state, held, kind: str, station) -> float:
    """How often a cook who carries that goes to a station."""
    thing = state.objects.get(station)
    is_on = kind == "P" and thing is not None and not thing.is_idle
    is_full = kind == "P" and thing is not None and len(thing.ingredients) == 3
    soups = sum(1 for each in state.objects.values() if each.name == "soup" and not each.is_idle)
    if held is None:
        of_counter = 0 if thing is None else 3
        return {"X": of_counter, "O": 2, "T": 2, "D": 6 * soups + 0.2, "P": 5 if is_full and not is_on else 0.1, "S": 0}[kind]
    of_counter = 0.1 if thing is None else 0.02
    if held in ("onion", "tomato"):
        return {"X": 5 * of_counter, "P": 4, "S": 0.05, "D": 0.05}.get(kind, 0.02)
    if held == "dish":
        return {"X": of_counter, "P": 6 if is_on else 0.2}.get(kind, 0.02)
    return {"X": of_counter, "S": 4}.get(kind, 0.02)


def draw_errand(mdp, state, player, chance):
    """A station that what is carried could go to, mostly."""
    held = player.held_object.name if player.held_object else None
    places = [(kind, place) for kind in "XPODST" for place in mdp.terrain_pos_dict[kind]]
    weights = np.array(
        [weight_of(state, held, *place) if first_step(mdp, player, place[1]) else 0 for place in places], dtype=float
    )
    if weights.sum() == 0:
        return None
    return places[chance.choice(len(places), p=weights / weights.sum())][1]


def episode(name: str, index: int) -> dict:
    global world_is_pot
    mdp = OvercookedGridworld.from_layout_name(LAYOUTS[name])
    world_is_pot = lambda x, y: mdp.get_terrain_type_at_pos((x, y)) == "P"  # noqa: E731
    seed = 1000 * list(LAYOUTS).index(name) + index
    chance = np.random.default_rng(seed)
    np.random.seed(seed)
    is_drawn = index % 2 == 0
    state = (
        mdp.get_standard_start_state()
        if is_drawn
        else mdp.get_random_start_state_fn(random_start_pos=True, rnd_obj_prob_thresh=0.5)()
    )
    for thing in state.objects.values():
        # The package's random start turns pots on without the step in which that is done elsewhere.
        if thing.name == "soup" and thing._cooking_tick == 0:
            thing._cooking_tick = 1
    randomness = [1.0, 0.05, 0.1, 0.1, 0.2, 0.3, 0.1][index % 7]
    players, objects = look(state)
    record = {"layout": name, "actions": [], "players": [players], "objects": [objects], "sparse": [], "shaped": []}
    errands = [None, None]
    for _ in range(STEPS):
        joint = []
        for seat, player in enumerate(state.players):
            if errands[seat] is None:
                errands[seat] = draw_errand(mdp, state, player, chance)
            action = first_step(mdp, player, errands[seat]) if errands[seat] else None
            if action is None or action == Action.INTERACT or chance.uniform() < 0.05:
                errands[seat] = None
            if action is None or chance.uniform() < randomness:
                action = ACTIONS[chance.integers(6)]
            joint.append(action)
        state, infos = mdp.get_state_transition(state, joint)
        players, objects = look(state)
        record["actions"].append([ACTIONS.index(action) for action in joint])
        record["players"].append(players)
        record["objects"].append(objects)
        record["sparse"].append(infos["sparse_reward_by_agent"])
        record["shaped"].append(infos["shaped_reward_by_agent"])
    return record


json.dump(
    {
        "printed_by": "test/golden/kitchen-overcooked-ai.py",
        "versions": {
            "overcooked_ai": version("overcooked-ai"),
            "numpy": version("numpy"),
            "python": sys.version.split()[0],
        },
        "episodes": [episode(name, index) for name in LAYOUTS for index in range(EPISODES_OF_LAYOUT)],
    },
    sys.stdout,
    separators=(",", ":"),
)
