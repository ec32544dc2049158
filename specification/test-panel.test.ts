import { expect, it } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { contentHash } from './identity.ts';
import { panelSimulatorsByVariant } from './panel-simulators.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { testPanelHash } from './test-panel.ts';

const { variants } = resolved(specDocument());
const pool = variants['pool']!;

it('is made of the hashes under which the simulators of a panel are stored, in whatever order', () => {
  const stored = panelSimulatorsByVariant(variants, DEFAULT_REGISTRIES)['pool']!;
  const hashes = stored.filter(({ panel }) => panel === 'test').map(({ simulatorHash }) => simulatorHash);
  expect(hashes.length).toBeGreaterThan(0);
  expect(testPanelHash(pool)).toBe(contentHash(hashes.sort()));
});

it('knows neither names nor order, but every simulator and the world', () => {
  const [top, far] = [pool.simulators['top']!, pool.simulators['far']!];
  const panel = (test: readonly string[], simulators: (typeof pool)['simulators'] = { top, far }) => ({
    ...pool,
    simulators,
    panels: { ...pool.panels, test },
  });
  const both = testPanelHash(panel(['top', 'far']));
  expect(testPanelHash(panel(['far', 'top']))).toBe(both);
  expect(testPanelHash(panel(['a', 'b'], { a: top, b: far }))).toBe(both);
  expect(testPanelHash(panel(['far']))).not.toBe(both);
  expect(testPanelHash({ ...panel(['top', 'far']), family_version: 'other' })).not.toBe(both);
  expect(testPanelHash(panel([]))).toBeNull();
});
