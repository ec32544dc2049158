import {
  boolean,
  double,
  type ExportTable,
  int32,
  int64,
  json,
  ofRuns,
  RUN_KEY,
  RUNS,
  simulatorKey,
  text,
} from './export-table.ts';

/** Rows that hold whole simulators, or whole episodes. */
const LONG_ROWS = 200;

/** Tables whose rows name simulators of a run. */
const NAMING = ['evaluations', 'pools', 'training_episodes', 'candidates', 'evictions', 'mined_simulators', 'failures'];

const SIMULATORS: ExportTable = {
  name: 'simulators',
  about: 'Every simulator that another table names, as data.',
  columns: [
    text('experiment', 'id of the experiment', '$1::text'),
    text('simulator_hash', 'its content hash', 's.hash'),
    text('family', 'the world', 's.family'),
    text('family_version', 'version of its code', 's.family_version'),
    json('family_options', 'options of the world', 's.family_options'),
    json('data', 'the simulator, every default written out', 's.simulator'),
  ],
  from: `simulators s where s.hash in (
      select h.simulator_hash from panel_simulators h where h.experiment_id = $1
      ${NAMING.map((table) => `union select n.simulator_hash from ${RUNS} join ${table} n on n.run_id = r.source_id`).join('\n      ')})`,
  order: 's.hash',
  pageRows: LONG_ROWS,
};

const PANELS: ExportTable = {
  name: 'panels',
  about: 'Which simulators each variant trains on, mines on, and is tested on.',
  columns: [
    text('experiment', 'id of the experiment', 'h.experiment_id'),
    text('variant', 'the variant', 'h.variant'),
    text('panel', '`train`, `validation` or `test`', 'h.panel'),
    int32('position', 'place in the list, from 0', 'h.position'),
    ...simulatorKey('h'),
  ],
  from: `panel_simulators h join variants v on v.experiment_id = h.experiment_id and v.name = h.variant
    where h.experiment_id = $1`,
  order: 'v.position, h.panel, h.position',
};

const POOLS: ExportTable = {
  name: 'pools',
  about: 'What a run trains on from a round on, until the next decision.',
  columns: [
    ...RUN_KEY,
    int32('round', 'rounds completed when it was decided', 'p.round'),
    int32('position', 'place in the pool, from 0', 'p.position'),
    ...simulatorKey('p'),
    double('weight', 'weight in the draw of episodes', 'p.weight'),
    json('parents', 'names of the simulators it was made from', 'p.parents'),
    text('reason', 'why it is there', 'p.reason'),
    json('randomization', 'ranges that are drawn from in every episode', 'p.randomization'),
    boolean('learns', 'whether the learners learn in it', 'p.learns'),
    text('failure', 'the failure it was made from, ROUND.K', 'p.failure'),
    double('contribution', 'what it taught, where the strategy says so', 'p.contribution'),
  ],
  ...ofRuns('pools p', 'p.round, p.position'),
};

const CANDIDATES: ExportTable = {
  name: 'candidates',
  about: 'Simulators that might have entered the pool.',
  columns: [
    ...RUN_KEY,
    int32('round', 'rounds completed when it was weighed', 'c.round'),
    int32('position', 'place among the candidates, from 0', 'c.position'),
    ...simulatorKey('c'),
    json('parents', 'names of the simulators it was made from', 'c.parents'),
    text('origin', 'how it was made', 'c.origin'),
    text('failure', 'the failure it was made from, ROUND.K', 'c.failure'),
    double('score', 'how good it was thought', 'c.score'),
    double('novelty', 'distance from the pool', 'c.novelty'),
    int32('probe_episodes', 'episodes that were played to score it, n', 'c.probe_episodes'),
    double('probe_return', 'their mean return', 'c.probe_return'),
    text('refusal', 'why it did not enter; empty where it did', 'c.refusal'),
  ],
  ...ofRuns('candidates c', 'c.round, c.position'),
};

const EVICTIONS: ExportTable = {
  name: 'evictions',
  about: 'Simulators that left the pool.',
  columns: [
    ...RUN_KEY,
    int32('round', 'rounds completed when it left', 'e.round'),
    int32('position', 'place among those that left, from 0', 'e.position'),
    ...simulatorKey('e'),
    double('contribution', 'what it had taught lately', 'e.contribution'),
    text('reason', 'why it left', 'e.reason'),
  ],
  ...ofRuns('evictions e', 'e.round, e.position'),
};

const MINED_SIMULATORS: ExportTable = {
  name: 'mined_simulators',
  about: 'Validation simulators as they were mined for failures.',
  columns: [
    ...RUN_KEY,
    int32('round', 'rounds completed when it was mined', 'm.round'),
    int32('position', 'place among those mined, from 0', 'm.position'),
    ...simulatorKey('m'),
    int32('episodes', 'how many episodes, n', 'm.episodes'),
    double('return_mean', 'mean return of the policy', 'm.return_mean'),
    double('random_mean', 'of the random policy', 'm.random_mean'),
    double('known_mean', 'of the best that is known', 'm.known_mean'),
    text('known_by', 'who that is', 'm.known_by'),
    boolean('is_impossible', 'whether nobody is known to do better than chance', 'm.is_impossible'),
  ],
  ...ofRuns('mined_simulators m', 'm.round, m.position'),
};

const FAILURES: ExportTable = {
  name: 'failures',
  about: 'Validation episodes that went badly, with all that it takes to play them again.',
  columns: [
    ...RUN_KEY,
    int32('round', 'rounds completed when it was mined', 'f.round'),
    int32('position', 'place among the failures of the mining, 0 being the worst', 'f.position'),
    ...simulatorKey('f'),
    int32('episode', 'which episode it was', 'f.episode'),
    int64('key_high', 'upper half of the key of its chance', 'f.key_high'),
    int64('key_low', 'lower half of it', 'f.key_low'),
    double('return', 'its return', 'f.return'),
    double('score', 'its return between random (0) and the best known (1)', 'f.score'),
    int32('key_moment', 'the step at which the critic lost most; 0 where none says what it expected', 'f.key_moment'),
    int32('failure_group', 'failures alike have the same', 'f.failure_group'),
    boolean('is_medoid', 'whether it stands for its group', 'f.is_medoid'),
    json('features', 'what stood near at the key moment', 'f.features'),
    json('actions', 'by step the action of every seat', 'f.actions'),
    json('rewards', 'by step', 'f.rewards'),
    json('critic_values', 'by step, one more than steps', 'f.critic_values'),
  ],
  ...ofRuns('failures f', 'f.round, f.position'),
  pageRows: LONG_ROWS,
};

/** Tables about simulators, where they come from and what failed in them. */
export const SIMULATOR_TABLES: readonly ExportTable[] = [
  SIMULATORS,
  PANELS,
  POOLS,
  CANDIDATES,
  EVICTIONS,
  MINED_SIMULATORS,
  FAILURES,
];
