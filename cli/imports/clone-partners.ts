import type { ImportRecord } from '../../infra/postgres/import-rows.ts';
import { exportedModel } from '../../infra/onnx/exported-model.ts';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { type CloneOptions, clonePolicy, type CloneReport } from '../../learning/imitation/clone-policy.ts';
import type { Demonstrations } from '../../learning/imitation/demonstrations.ts';
import type { RecordedEpisode } from '../../learning/recordings/recording-reader.ts';
import { seatDemonstrations } from '../../learning/recordings/seat-demonstrations.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';

/** A seat and what it was seen doing. */
export interface ShownSeat {
  readonly seat: number;
  readonly demonstrations: Demonstrations;
}

/** What a policy tells of where it comes from. */
type Origin = Pick<
  ImportRecord,
  'source' | 'licence' | 'personalData' | 'importerVersion' | 'recordingHash' | 'episodes' | 'steps'
>;

interface ClonedPartner {
  readonly seat: number;
  readonly role: string;
  readonly model: Uint8Array;
  readonly report: CloneReport;
}

/**
 * The seats that partners are cloned from.
 * @param seats undefined for all that something is known of
 * @throws REQUEST_BAD_ARGUMENT when there is no such seat, nothing of it was recorded, or too little to hold some out
 */
export function shownSeats(
  world: World,
  episodes: readonly RecordedEpisode[],
  seats: readonly number[] | undefined,
): ShownSeat[] {
  const all = [...Array(world.seatCount).keys()];
  const shown = (seats ?? all).flatMap((seat) => {
    if (!all.includes(seat)) throw refused(`There is no seat ${seat}; seats are 0 … ${world.seatCount - 1}.`);
    const demonstrations = seatDemonstrations(world, episodes, seat);
    return demonstrations === null ? [] : [{ seat, demonstrations }];
  });
  const missing = seats?.find((seat) => !shown.some((each) => each.seat === seat));
  if (missing !== undefined) throw refused(`What seat ${missing} saw and did was not recorded.`);
  const few = shown.find(({ demonstrations }) => new Set(demonstrations.episodes).size < 2);
  if (few === undefined) return shown;
  throw refused(`Only one episode shows what seat ${few.seat} did; a partner is cloned from at least 2.`);
}

function refused(message: string): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', message, {
    remedy: 'Name other seats by `--partners 0,1`, leave partners out by `--partners none`, or record more episodes.',
  });
}

/**
 * Clones a policy of each seat.
 * @param origin goes into the metadata of the policies, so that they are not separated from it
 */
export async function clonePartners(
  world: World,
  shown: readonly ShownSeat[],
  { options, origin }: { options: CloneOptions; origin: Origin },
  onProgress: (text: string) => void,
): Promise<ClonedPartner[]> {
  const executor = createOnnxExecutor();
  const cloned: ClonedPartner[] = [];
  for (const { seat, demonstrations } of shown) {
    onProgress(`cloning seat ${seat}: ${demonstrations.episodes.length} steps`);
    const group = world.groups.findIndex(({ seats }) => seats.includes(seat));
    const { role, masked: isMasked = false } = world.groups[group]!;
    const { policy, report } = await clonePolicy(demonstrations, { group, isMasked }, options, executor);
    const metadata = {
      family: world.family,
      family_version: world.version,
      family_options: JSON.stringify(world.options),
      role,
      seat: String(seat),
      input: 'observation',
      identity_size: '0',
      source: origin.source,
      licence: origin.licence,
      personal_data: origin.personalData,
      importer_version: String(origin.importerVersion),
      recording: origin.recordingHash,
      recorded: `${origin.episodes} episodes, ${origin.steps} steps`,
      cloning: JSON.stringify(report),
    };
    cloned.push({ seat, role, model: exportedModel(policy, metadata), report });
  }
  return cloned;
}
