import { markdownTable } from '../markdown-table.ts';
import type { ExportedPolicy } from './policy-description.ts';

/** What whoever uses exported policies has to know, as Markdown. */
export function onnxReadme(policies: readonly ExportedPolicy[]): string {
  const worlds = new Map(policies.map((policy) => [worldKey(policy), policy]));
  const parts = [
    '# Policies',
    'Plain ONNX models, one a run, group of seats and checkpoint. `last` is the end of training, `best` the checkpoint that ' +
      'was best on the validation panel. `policies.json` says the same as this page, for programs; `example.py` lets one act.',
    '## What goes in and comes out',
    '`observations`, float32 [rows, input size] → `logits`, float32 [rows, actions]: unnormalised log probabilities. Any ' +
      'number of rows at once. A row is what one seat observes, in raw units, and behind it, where the table says so, a ' +
      'one-hot of the seat within its group. Nothing has to be normalised outside of the model.',
    '**Choosing an action.** Evaluations with `policy_mode` "deterministic" take the largest logit, the first of equals. ' +
      'With "sampled" they draw from softmax(logits). An action that is illegal in a state acts as action 0.',
    ...[...worlds.values()].flatMap(worldParts),
    '## Files',
    policies.length === 0 ? 'No run had succeeded.' : fileTable(policies),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Variants may differ in whether their policies are told the seat, and so in what goes in. */
function worldKey({ family, family_version, family_options, group, input_size }: ExportedPolicy): string {
  return JSON.stringify([family, family_version, family_options, group, input_size]);
}

function worldParts(policy: ExportedPolicy): string[] {
  const { family, family_version, family_options, group, role, seats, observation, actions } = policy;
  const { observation_size, identity_size, input_size } = policy;
  const parts = observation.map(({ name, offset, length, unit }) => [indices(offset, length), name, unit]);
  const identity = identity_size === 0 ? [] : [[indices(observation_size, identity_size), 'one-hot of the seat', '']];
  return [
    `## ${family}, group ${group}: ${role}, input size ${input_size}`,
    `Version \`${family_version}\`, options \`${JSON.stringify(family_options)}\`. Seats ${seats.join(', ')}.` +
      (identity_size === 0 ? '' : ' The one-hot is in the order of these seats.'),
    markdownTable(['index', 'what', 'unit'], [...parts, ...identity]),
    markdownTable(
      ['action', 'what'],
      actions.map((action, index) => [String(index), action]),
    ),
  ];
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
