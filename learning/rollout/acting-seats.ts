import { ThawError } from '../../schemas/errors.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { drivenSeatsOf, presentLearners, trainedSeats, trainedSeatsOf } from './driven-seats.ts';

/** Where the networks of a member act in a pool, and where they learn. */
export interface ActingSeats {
  /** Of each group, the seats that they act for in some simulator; elsewhere their actions are not heeded. */
  readonly driven: readonly (readonly number[])[];
  /** For each simulator, the seats whose actions they alone give; null where whoever acts later may write over them. */
  readonly held: readonly (readonly number[])[] | null;
  /** For each simulator, the seats that are learnt from. */
  readonly learning: readonly (readonly number[])[];
}

interface PlayedSimulator {
  readonly simulator: SimulatorData;
  readonly learns: boolean;
}

/** Of a member in the learners' seats. */
export function actingLearners(
  world: World,
  learners: readonly number[],
  pool: readonly PlayedSimulator[],
): ActingSeats {
  const simulators = pool.map(({ simulator }) => simulator);
  return {
    driven: drivenSeatsOf(world, simulators),
    held: null,
    learning: pool.map(({ simulator, learns }) => (learns ? presentLearners(learners, simulator) : [])),
  };
}

/**
 * Of the partner that is trained along.
 * @param partner null for nobody
 * @throws DEFECT_INVARIANT when it holds no seat anywhere, or when a seat is held by nobody
 */
export function actingPartner(
  world: World,
  pool: readonly PlayedSimulator[],
  partner: { readonly name: string } | null,
): ActingSeats {
  const simulators = pool.map(({ simulator }) => simulator);
  const driven = trainedSeatsOf(world, simulators);
  const held = driven.flat();
  if (partner !== null && held.length === 0) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `${partner.name} is trained, and no simulator of the pool has a seat for it`,
    );
  }
  if (partner === null && held.length > 0) throw untrainedSeats(held);
  return {
    driven,
    held: simulators.map(trainedSeats),
    learning: pool.map(({ simulator, learns }) => (learns ? trainedSeats(simulator) : [])),
  };
}

/** Seats for a partner that is trained along where none is. */
export function untrainedSeats(seats: readonly number[]): ThawError {
  return new ThawError('DEFECT_INVARIANT', `seats ${seats.join(', ')} are for a trained partner, and none is trained`);
}
