import { DISTANCE_METRICS } from '../learning/distances/distances.ts';
import type { ClosePair, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { simulatorUses } from './check-panels.ts';
import type { Finding } from './finding.ts';
import { contentHash } from './identity.ts';
import { SimulatorDistances } from './simulator-distances.ts';

/** A held-out simulator with the training simulators that it is too close to. */
export interface CloseSimulator {
  readonly panel: 'validation' | 'test';
  /** In its panel. */
  readonly position: number;
  readonly pairs: readonly ClosePair[];
}

/** The held-out simulators of a valid variant that no distance tells from a training simulator. */
export function closeSimulators(world: World, variant: ResolvedVariant): CloseSimulator[] {
  const { panels, strategy, simulators, learners, diversity } = variant;
  const distances = new SimulatorDistances(world, learners, diversity.floor);
  const trained = new Set(
    simulatorUses(panels, strategy)
      .filter(({ panel }) => panel === 'train')
      .map(({ name }) => name),
  );
  const pairsOf = (heldout: string): ClosePair[] =>
    [...trained]
      .filter((train) => haveSameUnscripted(simulators[heldout]!, simulators[train]!))
      .filter((train) => distances.areTooClose(simulators[heldout]!, simulators[train]!))
      .map((train) => ({
        heldout,
        train,
        distances: distances.between(simulators[heldout]!, simulators[train]!),
        floors: distances.floorsOfPair(simulators[heldout]!, simulators[train]!),
      }));
  return (['validation', 'test'] as const)
    .flatMap((panel) => panels[panel].map((name, position) => ({ panel, position, pairs: pairsOf(name) })))
    .filter(({ pairs }) => pairs.length > 0);
}

/** Policies are probed as random ones, so no distance can be held against simulators that seat different ones. */
function haveSameUnscripted(a: SimulatorData, b: SimulatorData): boolean {
  return contentHash(unscripted(a)) === contentHash(unscripted(b));
}

/** Who holds which seat, but for which of the scripted policies it is. Nobody named is the current policy. */
function unscripted({ partners }: SimulatorData) {
  return Object.entries(partners)
    .map(([seat, partner]) => [seat, partner.kind === 'scripted' ? 'scripted' : partner])
    .sort();
}

/** What is wrong with a held-out simulator that trains the policy all but itself. */
export function closenessFinding({ panel, position, pairs }: CloseSimulator): Finding {
  const { heldout } = pairs[0]!;
  return {
    path: ['panels', panel, position],
    found: `"${heldout}", which is too close to simulators trained on: ${pairs.map(closenessText).join('; ')}`,
    expected: 'held-out simulators that differ from every training simulator by the floor of at least one metric',
    remedy:
      `Change "${heldout}", lower diversity.floor, or give the reason why it may stay as diversity.waiver ` +
      '(e.g. that it differs in what agents see, which no distance measures).',
  };
}

/** A pair with its distances and floors, for people. */
export function closenessText({ train, distances, floors }: ClosePair): string {
  const numbers = DISTANCE_METRICS.map(
    (metric) => `${metric} ${numberText(distances[metric])} (floor ${numberText(floors[metric])})`,
  );
  return `"${train}": ${numbers.join(', ')}`;
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(3)));
}
