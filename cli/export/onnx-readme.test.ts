import { expect, it } from 'vitest';
import { onnxReadme } from './onnx-readme.ts';
import type { ExportedPolicy } from './policy-description.ts';

function policy(variant: string, identitySize: number): ExportedPolicy {
  return {
    ...{ family: 'simple_spread', family_version: '1', family_options: { agents: 2 } },
    ...{ group: 0, role: 'agent', seats: [0, 1], actions: ['none', 'left'], masked: false, memory_size: 0 },
    action_space: { kind: 'discrete', count: 2 },
    ...{ observation_size: 3, identity_size: identitySize, input_size: 3 + identitySize },
    inputs: { observations: ['rows', 3 + identitySize] },
    outputs: { logits: ['rows', 2] },
    ...{ opset: 17, normalization: 'none', acting: 'the largest' },
    observation: [{ name: 'position', offset: 0, length: 3, unit: 'units' }],
    ...{ file: `demo/${variant}.onnx`, bytes: 1, sha256: 'ab', experiment: 'demo-1' },
    ...{ variant, seed: 0, checkpoint: 'last', round: 5 },
  };
}

it('the page on policies says of each what goes in, also where variants of one experiment differ in it', () => {
  const page = onnxReadme([policy('blind', 0), policy('told', 2), policy('also', 2)]);
  expect(page.match(/^## simple_spread.*$/gm)).toEqual([
    '## simple_spread, group 0: agent, input size 3',
    '## simple_spread, group 0: agent, input size 5',
  ]);
  expect(page.match(/one-hot of the seat \|/g)).toHaveLength(1);
  expect(page).toMatch(/`demo\/blind\.onnx` \| blind \| 0 \| 0 \| 3 \| last/);
  expect(page).toMatch(/`demo\/told\.onnx` \| told \| 0 \| 0 \| 5 \| last/);
});

it('the page says what a policy with a memory takes and gives, and between what the numbers of a box lie', () => {
  const recurrent: ExportedPolicy = {
    ...policy('recurrent', 0),
    ...{ memory_size: 4, action_space: { kind: 'box', low: [0, -2], high: [1, 3] } },
    inputs: { observations: ['rows', 3], memory: ['rows', 4] },
    outputs: { action: ['rows', 2], memory_next: ['rows', 4] },
  };
  const page = onnxReadme([recurrent, policy('plain', 0)]);
  expect(page.match(/^## simple_spread.*$/gm)).toEqual([
    '## simple_spread, group 0: agent, input size 3, memory size 4',
    '## simple_spread, group 0: agent, input size 3',
  ]);
  expect(page).toContain('Inputs `observations` [rows, 3], `memory` [rows, 4]; outputs `action` [rows, 2]');
  expect(page).toMatch(/^\| 1 \| left \| -2 \| 3 \|$/m);
});
