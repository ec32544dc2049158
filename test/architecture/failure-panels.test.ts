import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../simulators/registry.ts';
import { numberAt } from '../../learning/strategies/draw-simulator.ts';
import { drawPanel, writtenDraw } from '../support/panel-draws.ts';
import { resolved } from '../support/spec-document.ts';

type Written = Parameters<typeof writtenDraw>[1];

/** Seeds below it were for choosing what the recipe is. */
const TUNING_SEEDS_END = 100;
const EASY_SEED = 20_001;
const OPEN_SEED = 20_002;
const DRAW_COUNT = 24;
const NAMED_COUNT = 7;

const SETTINGS = [
  { name: 'failures-spread-easy', broad: 'first', seed: EASY_SEED },
  { name: 'failures-tag-easy', broad: 'runs_right', seed: EASY_SEED },
  { name: 'failures-spread-open', broad: 'first', seed: OPEN_SEED },
  { name: 'failures-tag-open', broad: 'runs_right', seed: OPEN_SEED },
];

describe.each(SETTINGS.flatMap((setting) => [setting, { ...setting, name: `${setting.name}-parts` }]))(
  'the panels of $name',
  ({ name, broad, seed }) => {
    const document = JSON.parse(readFileSync(`experiments/${name}.json`, 'utf8')) as {
      readonly simulators: Readonly<Record<string, Written>>;
      readonly variants: Readonly<Record<string, unknown>>;
    };
    const experiment = resolved(document);
    const { family, family_options, simulators, panels, randomization } = experiment.variants['random_generator']!;
    const { parameters } = FAMILIES[family]!.open(family_options);
    const drawn = drawPanel({ parent: simulators[broad]!, ranges: randomization, parameters, seed, count: DRAW_COUNT });

    test('hold the draws that their seed gives, written out in full', () => {
      expect(panels.test.slice(NAMED_COUNT)).toEqual(Object.keys(drawn));
      for (const [draw, simulator] of Object.entries(drawn)) {
        expect(simulators[draw], draw).toEqual(simulator);
        const parent = document.simulators[broad]!;
        expect(document.simulators[draw], draw).toEqual(writtenDraw(simulator, parent, randomization));
      }
    });

    test('are the same for every variant, of which every step counts', () => {
      for (const written of Object.keys(document.variants)) {
        const variant = experiment.variants[written]!;
        expect(variant.panels.test.map((each) => variant.simulators[each])).toEqual(
          panels.test.map((each) => simulators[each]),
        );
        expect(variant.panels.validation).toEqual(panels.validation);
        expect(variant.budget).toEqual({ env_steps: 500_000, rounds: 20, count: 'all' });
      }
    });

    test('let one member of the train panel alone be drawn in every range', () => {
      const lacking = panels.train.map((member) =>
        Object.keys(randomization).filter((path) => numberAt(simulators[member]!, path) === undefined),
      );
      const isOpen = seed === OPEN_SEED;
      expect(lacking.filter((paths) => paths.length === 0)).toHaveLength(1);
      expect(lacking.filter((paths) => paths.every((path) => path.includes('.weights.')))).toHaveLength(
        isOpen ? 10 : 1,
      );
      expect(panels.train.at(-1)).toBe(broad);
    });

    test('are played under seeds that nothing was chosen by, and drawn under one that no run has', () => {
      expect(experiment.seeds).toHaveLength(name.endsWith('-parts') ? 5 : 10);
      expect(Math.min(...experiment.seeds)).toBeGreaterThanOrEqual(TUNING_SEEDS_END);
      expect(Math.max(...experiment.seeds)).toBeLessThan(seed);
    });
  },
);
