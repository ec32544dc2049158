import type { RandomizationRanges } from '../learning/strategies/contract.ts';
import type { PanelName, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { contentHash, simulatorHash } from '../specification/identity.ts';
import type { EvaluateResponse } from './session-messages.ts';

/** A simulator in a panel, as it is evaluated. */
export interface PanelMember {
  readonly panel: PanelName;
  readonly name: string;
  readonly simulator: SimulatorData;
  readonly simulatorHash: string;
  /** Names what the random policy was measured on: the simulator, what is drawn into it, and whose return counts. */
  readonly referenceHash: string;
  readonly weight: number;
  readonly randomization: RandomizationRanges;
}

/** What a policy trains on. */
export interface TrainedPool {
  readonly entries: readonly (Pick<PanelMember, 'name' | 'simulator' | 'weight' | 'randomization'> & {
    /** Whether anybody learns from its episodes. */
    readonly learns: boolean;
  })[];
}

/**
 * The three panels of a variant: what it trains on as `train`, with the pool's weights and draws. Entries of the pool that
 * nobody learns from are not trained on.
 */
export function panelMembers(world: World, resolved: ResolvedVariant, pool: TrainedPool): PanelMember[] {
  return [
    ...pool.entries.filter(({ learns }) => learns).map((entry) => panelMember(world, resolved, 'train', entry)),
    ...heldOutMembers(world, resolved, 'validation'),
    ...heldOutMembers(world, resolved, 'test'),
  ];
}

/** A panel that is never trained on, its simulators all of one weight and as they are. */
export function heldOutMembers(
  world: World,
  resolved: ResolvedVariant,
  panel: Exclude<PanelName, 'train'>,
): PanelMember[] {
  return resolved.panels[panel].map((name) =>
    panelMember(world, resolved, panel, { name, simulator: resolved.simulators[name]!, weight: 1, randomization: {} }),
  );
}

function panelMember(
  world: World,
  { learners }: ResolvedVariant,
  panel: PanelName,
  member: Pick<PanelMember, 'name' | 'simulator' | 'weight' | 'randomization'>,
): PanelMember {
  const { name, simulator, weight, randomization } = member;
  const hash = simulatorHash(world, simulator);
  return {
    panel,
    name,
    simulator,
    simulatorHash: hash,
    referenceHash: contentHash({ simulator: hash, randomization, learners: world.cooperative ? null : learners }),
    weight,
    randomization,
  };
}

/** Env steps of episodes that were played. */
export function envStepsOf(played: EvaluateResponse): number {
  return played.reduce((sum, { episodes }) => episodes.reduce((steps, { length }) => steps + length, sum), 0);
}
