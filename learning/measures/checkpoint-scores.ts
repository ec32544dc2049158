import type { Behaviour } from './behaviour.ts';
import type { CollapseScores } from './collapse.ts';

/** All that is measured of one checkpoint: how it does on the panels, and how it behaves on its training pool. */
export type CheckpointScores = CollapseScores & Omit<Behaviour, 'envSteps'>;
