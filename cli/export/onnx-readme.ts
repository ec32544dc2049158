import { markdownTable } from '../table-formats/markdown-table.ts';
import type { ExportedPolicy } from './policy-description.ts';

/** What whoever uses exported policies has to know, as Markdown. */
export function onnxReadme(policies: readonly ExportedPolicy[]): string {
  const worlds = new Map(policies.map((policy) => [worldKey(policy), policy]));
  const parts = [
    '# Policies',
    'Plain ONNX models, one a run, group of seats and checkpoint. `last` is the end of training, `best` the checkpoint that ' +
      'was best on the validation panel. `policies.json` says the same as this page, for programs; `example.py` lets one act.',
    '## What goes in and comes out',
    'All values are float32 [rows, …], any number of rows at once; a row is one seat of one environment. `policies.json` ' +
      'and the metadata of each file name the inputs and outputs it has.',
    markdownTable(['input', 'shape', 'what'], INPUTS),
    markdownTable(['output', 'shape', 'what'], OUTPUTS),
    'Observations are given in raw units: where a policy normalises them, it does so inside. `layout` in the metadata of ' +
      'a file says under which names its weights lie in it.',
    '**Choosing an action.** Evaluations with `policy_mode` "deterministic" take the largest logit, the first of equals, ' +
      'or `action`. With "sampled" they draw from softmax(logits), or numbers from normal(mean, exp(log_std)), which are ' +
      'clipped to [−1, 1] and scaled to low … high. Policies of Q-learners (`iql`, `vdn`, `qmix`, `dqn`) give ' +
      'the best action the logit 0 and the others −10³⁰, which is the same in both modes. Without a mask an action that is illegal in a state acts as action 0.',
    '**Memory.** A policy with `memory` is given zeros in the first step of an episode, and in every later one what it ' +
      'gave as `memory_next` in the step before, row by row.',
    ...[...worlds.values()].flatMap(worldParts),
    '## Files',
    policies.length === 0 ? 'No run had succeeded.' : fileTable(policies),
  ];
  return `${parts.join('\n\n')}\n`;
}

const INPUTS = [
  [
    '`observations`',
    '[rows, input size]',
    'what a seat observes; behind it, where a table says so, a one-hot of its place among the seats',
  ],
  ['`action_mask`', '[rows, actions]', '1 legal, 0 not: that action gets probability 0. Where actions can be illegal'],
  ['`memory`', '[rows, memory size]', 'what the policy remembers. Only for policies with a memory'],
];

const OUTPUTS = [
  ['`logits`', '[rows, actions]', 'discrete actions: unnormalised log probabilities'],
  ['`action`', '[rows, numbers]', 'boxes: the most probable action, as the world takes it'],
  ['`mean`, `log_std`', '[rows, numbers]', 'boxes: the distribution of the numbers scaled to [−1, 1]'],
  ['`memory_next`', '[rows, memory size]', 'the memory for the next step'],
];

/** Variants may differ in whether their policies are told the seat or remember, and so in what goes in. */
function worldKey(policy: ExportedPolicy): string {
  const { family, family_version, family_options, group, input_size, memory_size } = policy;
  return JSON.stringify([family, family_version, family_options, group, input_size, memory_size]);
}

function worldParts(policy: ExportedPolicy): string[] {
  const { family, family_version, family_options, group, role, seats, observation, actions } = policy;
  const { observation_size, identity_size, input_size, memory_size, action_space, inputs, outputs } = policy;
  const parts = observation.map(({ name, offset, length, unit }) => [indices(offset, length), name, unit]);
  const identity = identity_size === 0 ? [] : [[indices(observation_size, identity_size), 'one-hot of the seat', '']];
  return [
    `## ${family}, group ${group}: ${role}, input size ${input_size}${memory_size === 0 ? '' : `, memory size ${memory_size}`}`,
    `Version \`${family_version}\`, options \`${JSON.stringify(family_options)}\`. Seats ${seats.join(', ')}.` +
      (identity_size === 0 ? '' : ' The one-hot is in the order of these seats.') +
      ` Inputs ${portsText(inputs)}; outputs ${portsText(outputs)}.`,
    markdownTable(['index', 'what', 'unit'], [...parts, ...identity]),
    action_space.kind === 'discrete'
      ? markdownTable(
          ['action', 'what'],
          actions.map((action, index) => [String(index), action]),
        )
      : markdownTable(
          ['number', 'what', 'low', 'high'],
          action_space.low.map((low, index) => [
            String(index),
            actions[index] ?? '',
            String(low),
            String(action_space.high[index]),
          ]),
        ),
  ];
}

function portsText(ports: ExportedPolicy['inputs']): string {
  return Object.entries(ports)
    .map(([name, shape]) => `\`${name}\` [${shape.join(', ')}]`)
    .join(', ');
}

function indices(offset: number, length: number): string {
  return length === 1 ? String(offset) : `${offset} … ${offset + length - 1}`;
}

function fileTable(policies: readonly ExportedPolicy[]): string {
  return markdownTable(
    ['file', 'variant', 'seed', 'group', 'input size', 'checkpoint', 'rounds', 'SHA-256'],
    policies.map(({ file, variant, seed, group, input_size, checkpoint, round, sha256 }) => [
      `\`${file}\``,
      variant,
      String(seed),
      String(group),
      String(input_size),
      checkpoint,
      String(round),
      `\`${sha256}\``,
    ]),
  );
}
