"""Writes the policies of test/golden/policies/ and what PyTorch itself makes of a few episodes, policies.json.

    python -m venv VENV && VENV/bin/pip install torch==2.15.0 onnx==1.23.2 onnxscript==0.7.2 stable-baselines3==2.9.2
    VENV/bin/python test/golden/policies.py

Sizes are those of `simple_spread` with its default options: 18 numbers are seen, 5 actions or, of a box, 5 numbers given.
Weights are drawn, nothing is trained: what counts is that the files are what these programs write.
"""

import json
import pathlib
import warnings

import gymnasium
import numpy
import onnx
import stable_baselines3
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

INPUTS, ACTIONS, NUMBERS, HIDDEN, ROWS, STEPS = 18, 5, 5, 6, 2, 3
FOLDER = pathlib.Path(__file__).parent / "policies"
warnings.filterwarnings("ignore")
torch.manual_seed(1)
ROWS_OPEN = torch.export.Dim("batch")


def mlp(outputs, inputs=INPUTS):
    return nn.Sequential(nn.Linear(inputs, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, outputs))


class Recurrent(nn.Module):
    """LSTM of two layers over a sequence of one step, with the states as PyTorch has them: [layers, rows, hidden]."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(INPUTS, HIDDEN, num_layers=2, batch_first=True)
        self.head = nn.Linear(HIDDEN, ACTIONS)

    def forward(self, obs, h0, c0):
        out, (h1, c1) = self.lstm(obs, (h0, c0))
        return self.head(out[:, -1]), h1, c1


class Cell(nn.Module):
    """GRU with its state as Thaw calls it: memory → memory_next, [rows, hidden]."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(INPUTS, HIDDEN)
        self.head = nn.Linear(HIDDEN, ACTIONS)

    def forward(self, observations, memory):
        memory = self.cell(observations, memory)
        return self.head(memory), memory


class Masked(nn.Module):
    """Gives the index of the best legal action, and takes a mask of truth values."""

    def __init__(self):
        super().__init__()
        self.net = mlp(ACTIONS)

    def forward(self, obs, action_mask):
        return self.net(obs).masked_fill(~action_mask, -torch.inf).argmax(-1)


class StableBaselines(nn.Module):
    """The wrapper of Stable-Baselines3's own guide to ONNX: actions, values and log probabilities, none of them named."""

    def __init__(self, policy):
        super().__init__()
        self.policy = policy

    def forward(self, observation):
        return self.policy(observation, deterministic=True)


class StableBox(nn.Module):
    """Of a box only the action leaves, as the environment takes it."""

    def __init__(self, policy):
        super().__init__()
        self.policy = policy

    def forward(self, observation):
        return self.policy(observation, deterministic=True)[0]


def stable(space):
    class World(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (INPUTS,), numpy.float32)
        action_space = space

        def reset(self, seed=None, options=None):
            return numpy.zeros(INPUTS, numpy.float32), {}

        def step(self, action):
            return numpy.zeros(INPUTS, numpy.float32), 0.0, True, False, {}

    model = stable_baselines3.PPO("MlpPolicy", World(), policy_kwargs={"net_arch": [HIDDEN]}, seed=1, device="cpu")
    return model.policy.eval()


def export(name, model, example, **options):
    options = {"external_data": False, "dynamo": True, "verbose": False, **options}
    file = FOLDER / f"{name}.onnx"
    torch.onnx.export(model.eval(), example, str(file), **options)
    # The exporter writes beside every node from which line of which file of the machine it comes.
    exported = onnx.load(file)
    for node in [*exported.graph.node, *exported.graph.value_info, *exported.graph.input, *exported.graph.output]:
        node.ClearField("metadata_props")
    exported.graph.ClearField("metadata_props")
    exported.ClearField("metadata_props")
    onnx.save(exported, file)


def sequences(name, model, states, *, shape=(ROWS, INPUTS), mask=None):
    """What a model gives for every step of an episode in three rows, its states going round."""
    generator = torch.Generator().manual_seed(2)
    steps = []
    for _ in range(STEPS):
        seen = torch.randn(shape, generator=generator)
        with torch.no_grad():
            given = model(seen, *states, *([] if mask is None else [mask]))
        given = given if isinstance(given, tuple) else (given,)
        states = given[1 : 1 + len(states)] if states else []
        steps.append({"seen": seen.reshape(ROWS, INPUTS).tolist(), "given": given[0].tolist()})
    return {"file": f"{name}.onnx", "steps": steps}


def by_hand():
    """One row without an axis for rows, in and out, of an older opset: logits = observation × weights."""
    weights = numpy.linspace(-1, 1, INPUTS * ACTIONS, dtype=numpy.float32).reshape(INPUTS, ACTIONS)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["state", "weights"], ["scores"])],
        "by_hand",
        [helper.make_tensor_value_info("state", TensorProto.FLOAT, [INPUTS])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [ACTIONS])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
    onnx.checker.check_model(model)
    onnx.save(model, FOLDER / "by-hand.onnx")
    return sequences("by-hand", lambda seen: seen @ torch.from_numpy(weights), [])


def main():
    FOLDER.mkdir(exist_ok=True)
    golden = []
    row, rows = torch.zeros(1, INPUTS), torch.zeros(2, INPUTS)

    plain = mlp(ACTIONS)
    named = {"input_names": ["obs"], "output_names": ["logits"]}
    export("torch-mlp", plain, (rows,), dynamic_shapes=({0: ROWS_OPEN},), **named)
    golden.append(sequences("torch-mlp", plain, []))

    # As it comes when nothing is said: names of the exporter's, and the one row of the example for good.
    export("torch-unnamed", plain, (row,))
    golden.append(sequences("torch-unnamed", plain, []))

    lstm = Recurrent()
    states = [torch.zeros(2, 2, HIDDEN), torch.zeros(2, 2, HIDDEN)]
    open_states = ({0: ROWS_OPEN}, {1: ROWS_OPEN}, {1: ROWS_OPEN})
    names = {"input_names": ["obs", "h0", "c0"], "output_names": ["logits", "h1", "c1"]}
    export("torch-lstm", lstm, (rows.unsqueeze(1), *states), dynamic_shapes=open_states, **names)
    golden.append(sequences("torch-lstm", lstm, [torch.zeros(2, ROWS, HIDDEN)] * 2, shape=(ROWS, 1, INPUTS)))

    gru = Cell()
    names = {"input_names": ["observations", "memory"], "output_names": ["logits", "memory_next"]}
    export("torch-gru", gru, (rows, torch.zeros(2, HIDDEN)), dynamic_shapes=({0: ROWS_OPEN}, {0: ROWS_OPEN}), **names)
    golden.append(sequences("torch-gru", gru, [torch.zeros(ROWS, HIDDEN)]))

    masked = Masked()
    mask = torch.tensor([[True, False, True, True, False]] * ROWS)
    names = {"input_names": ["obs", "action_mask"], "output_names": ["action"]}
    export("torch-masked", masked, (rows, mask[:2]), dynamic_shapes=({0: ROWS_OPEN}, {0: ROWS_OPEN}), **names)
    golden.append({**sequences("torch-masked", masked, [], mask=mask), "mask": mask[0].tolist()})

    box = mlp(NUMBERS)
    export("torch-box", box, (rows,), dynamic_shapes=({0: ROWS_OPEN},), input_names=["obs"], output_names=["mean"])
    golden.append(sequences("torch-box", box, []))

    discrete = StableBaselines(stable(gymnasium.spaces.Discrete(ACTIONS)))
    export("sb3-discrete", discrete, (rows,), dynamic_shapes=({0: ROWS_OPEN},), input_names=["input"])
    golden.append(sequences("sb3-discrete", discrete, []))

    numbers = StableBox(stable(gymnasium.spaces.Box(0.0, 1.0, (NUMBERS,), numpy.float32)))
    names = {"input_names": ["input"], "output_names": ["action"]}
    export("sb3-box", numbers, (rows,), dynamic_shapes=({0: ROWS_OPEN},), **names)
    golden.append(sequences("sb3-box", numbers, []))

    golden.append(by_hand())
    versions = {module.__name__: module.__version__ for module in (torch, onnx, stable_baselines3)}
    lines = ",\n".join(json.dumps(policy) for policy in golden)
    text = f'{{"versions": {json.dumps(versions)},\n"policies": [\n{lines}]}}\n'
    (FOLDER / "policies.json").write_text(text)


main()
