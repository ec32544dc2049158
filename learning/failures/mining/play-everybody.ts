import type { SimulatorData, World } from '../../../simulators/contract.ts';
import type { Learner } from '../../algorithms/contract.ts';
import { drivenSeatsOf, presentLearners } from '../../rollout/driven-seats.ts';
import type { Player } from '../../rollout/playing-group.ts';
import { withScriptedReference } from '../../rollout/scripted-reference.ts';
import type { NamedSimulator } from '../../strategies/contract.ts';
import { playTraced, type TracedPlay } from './play-traced.ts';
import type { TracedEpisode } from './traced-episode.ts';

export interface MiningPlay extends Pick<TracedPlay, 'world' | 'keys' | 'loadPolicy' | 'onProgress'> {
  readonly player: Extract<Player, { kind: 'policy' }> & { readonly learner: Pick<Learner, 'returns'> };
  readonly learners: readonly number[];
  /** As they are played; in each of them some learner is present. */
  readonly simulators: readonly NamedSimulator[];
}

/** Episodes of each player, by simulator. */
export type Played = Readonly<Record<'policy' | 'random' | 'scripted', TracedEpisode[][]>>;

/** The same episodes by the run's policy, by the random one and by the family's scripted reference. */
export async function playEverybody({ player, learners, onProgress, ...options }: MiningPlay): Promise<Played> {
  const { world, keys } = options;
  const simulators = options.simulators.map(({ simulator }) => simulator);
  const each = simulators.length * keys.length;
  const play = { ...options, simulators, learners: simulators.map((one) => presentLearners(learners, one)) };
  const after = (done: number) => ({ onProgress: (episodes: number) => onProgress(done + episodes) });
  const policy = await playTraced(player, { ...play, ...after(0) });
  const random = await playTraced({ kind: 'random' }, { ...play, ...after(each) });
  const replaced = simulators.map((simulator) => scriptedEverywhere(world, simulator));
  const scripted = await playTraced(player, { ...play, ...after(2 * each), simulators: replaced });
  return { policy, random, scripted };
}

/** With the scripted reference in every seat that the policy has, those of `self` partners included. */
function scriptedEverywhere(world: World, simulator: SimulatorData): SimulatorData {
  return withScriptedReference(world, simulator, drivenSeatsOf(world, [simulator]).flat());
}
