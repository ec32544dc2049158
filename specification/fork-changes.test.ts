import { describe, expect, it } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { formatPath } from './path.ts';
import { ALGORITHMS } from '../learning/algorithms/registry.ts';
import { FAMILIES } from '../simulators/registry.ts';
import { keepsEvaluations, CHECKPOINT_PARAMETERS, refusedForkChanges } from './fork-changes.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

const FAILURE_DRIVEN =
  'variants.pool.strategy={"kind":"failure_driven","size":3,"every_rounds":2,"mining":{"every_rounds":2}}';

function variantOf(...overrides: string[]) {
  return resolved(specDocument(), overrides).variants['pool']!;
}

function refused(overrides: readonly string[], base: readonly string[] = []): string[] {
  const [before, after] = [variantOf(...base), variantOf(...base, ...overrides)];
  return refusedForkChanges(before, after, DEFAULT_REGISTRIES).map(({ path }) => formatPath(path));
}

describe('what may differ where a run goes on from rounds of another', () => {
  it.each([
    ['a longer budget', 'budget={"rounds":9,"env_steps":180000}'],
    ['parameters of learning', 'algorithm={"name":"ippo","hidden_sizes":[32,32],"learning_rate":0.001,"epochs":2}'],
    ['how it is evaluated', 'evaluation.seed=7'],
    ['how it is judged', 'verdict={"watch":0.3,"collapsed":0.4}'],
    ['what is held out', 'panels.test=["partner_right"]'],
    ['what a held-out simulator is', 'simulators.far.rules={"damping":0.4}'],
  ])('%s', (_, override) => {
    expect(differing(override)).toBe(true);
    expect(refused([override])).toEqual([]);
  });

  it.each([
    ['the shape of the networks', 'algorithm.hidden_sizes=[16]', 'algorithm.hidden_sizes'],
    ['what weights mean', 'algorithm.activation="relu"', 'algorithm.activation'],
    ['the strategy', 'variants.pool.strategy={"kind":"self_play"}', 'strategy.kind'],
    ['its options', 'variants.pool.strategy={"kind":"pool","size":1}', 'strategy.size'],
    ['what it trains on', 'panels.train=["zero"]', 'panels.train'],
    ['what such a simulator is', 'simulators.left.rules={"damping":0.4}', 'simulators.left.rules.damping'],
    ['ranges', 'randomization={"rules.damping":[0.1,0.6]}', 'randomization["rules.damping"]'],
    ['the world', 'family_options.communication_channel=false', 'family_options.communication_channel'],
  ])('is not %s', (_, override, path) => {
    const base = override.startsWith('panels.train') ? ['variants.pool.strategy.size=1'] : [];
    expect(refused([override], base)).toContain(path);
  });

  it('is validation only where the strategy does not look at it', () => {
    const override = ['panels.validation=["partner_top"]'];
    expect(refused(override)).toEqual([]);
    expect(refused(override, [FAILURE_DRIVEN])).toContain('panels.validation');
    expect(refused(['simulators.top.rules={"damping":0.4}'], [FAILURE_DRIVEN])).not.toEqual([]);
    expect(refused(['panels.test=["partner_right"]'], [FAILURE_DRIVEN])).toEqual([]);
  });

  it('keeps the evaluations before only where they are what it would have measured itself', () => {
    const keeps = (override: string) => keepsEvaluations(variantOf(), variantOf(override));
    for (const same of ['budget.rounds=9', 'evaluation.every_rounds=1', 'evaluation.final_episodes=50']) {
      expect(keeps(same), same).toBe(true);
    }
    for (const other of [
      'evaluation.episodes=11',
      'evaluation.seed=7',
      'evaluation.behaviour_groups=8',
      'evaluation.reference_episodes=80',
      'panels.test=["partner_right"]',
    ]) {
      expect(keeps(other), other).toBe(false);
    }
    expect(keeps('simulators.far.rules={"damping":0.4}')).toBe(false);
  });

  it('what is said to be in a checkpoint is a parameter of some algorithm', () => {
    const world = FAMILIES['simple_spread']!.open({ agents: 2 });
    const names = Object.values(ALGORITHMS).flatMap((algorithm) =>
      Object.keys(algorithm.parametersSchema(world).parse({ name: algorithm.name })),
    );
    for (const name of CHECKPOINT_PARAMETERS) expect(names).toContain(name);
  });
});

function differing(override: string): boolean {
  return JSON.stringify(variantOf(override)) !== JSON.stringify(variantOf());
}
