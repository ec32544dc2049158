import { expect, it } from 'vitest';
import { onnxReadme } from './onnx-readme.ts';
import type { ExportedPolicy } from './policy-description.ts';

function policy(variant: string, identitySize: number): ExportedPolicy {
  return {
    ...{ family: 'simple_spread', family_version: '1', family_options: { agents: 2 } },
    ...{ group: 0, role: 'agent', seats: [0, 1], action_count: 2, actions: ['none', 'left'] },
    ...{ observation_size: 3, identity_size: identitySize, input_size: 3 + identitySize },
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
