import {
  double,
  type ExportTable,
  int32,
  int64,
  json,
  ofRuns,
  boolean,
  ROUND_ABOUT,
  RUN_KEY,
  RUNS,
  simulatorKey,
  text,
  timestamp,
} from './export-table.ts';
import { SIMULATOR_TABLES } from './export-simulator-tables.ts';

/** Rows whose texts and lists may be long. */
const LONG_ROWS = 200;

const CHECKPOINT = '`round` on the way; `last` and `best` (on validation) at the end, with `final_episodes`';

const EXPERIMENTS: ExportTable = {
  name: 'experiments',
  about: 'The experiments of the export, with all that their results depend on.',
  columns: [
    text('experiment', 'id of the experiment', 'x.id'),
    text('name', 'name in its spec', 'x.name'),
    int32('version', 'how many-th spec of this name it is', 'x.version'),
    text('result_hash', 'hash of what can change a result', 'x.result_hash'),
    text('program_version', 'version of Thaw that it was submitted to', 'x.program_version'),
    timestamp('created_at', 'when it was submitted', 'x.created_at'),
    json('document', 'the spec as it was written', 'x.document'),
    json('resolved', 'the spec with every default written out', 'x.resolved'),
    json('execution', 'how it is carried out', 'x.execution'),
  ],
  from: 'experiments x where x.id = $1',
  order: 'x.id',
  pageRows: 1,
};

const VARIANTS: ExportTable = {
  name: 'variants',
  about: 'The variants with their whole settings.',
  columns: [
    text('experiment', 'id of the experiment', 'v.experiment_id'),
    text('variant', 'its name', 'v.name'),
    int32('position', 'its place in the spec, from 0', 'v.position'),
    text('variant_hash', 'hash of its settings: equal hash and equal seed are an equal run', 'v.variant_hash'),
    json('resolved', 'its settings with every default written out', 'v.resolved'),
  ],
  from: 'variants v where v.experiment_id = $1',
  order: 'v.position',
  pageRows: LONG_ROWS,
};

const ROUNDS: ExportTable = {
  name: 'rounds',
  about: 'Rounds of training.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 't.round'),
    int64('env_steps', 'env steps of training up to its end', 't.env_steps'),
    text('checkpoint_hash', 'hash of the checkpoint after it', 't.checkpoint_hash'),
    double('wall_s', 'seconds it took', 't.wall_s'),
    double('peak_rss_mib', 'peak resident memory of its process, MiB', 't.peak_rss_mib'),
    double('peak_gpu_mib', 'most memory that arrays held on a GPU, MiB; null without one', 't.peak_gpu_mib'),
    text(
      'sampler_idle_shares',
      'share of it for which each of several samplers waited, the training process first; `[]` for one',
      'to_json(t.sampler_idle_shares)::text',
    ),
  ],
  ...ofRuns('rounds t', 't.round'),
};

const METRICS: ExportTable = {
  name: 'metrics',
  about: 'What the algorithm reports of a round, such as entropy and losses: one row a number.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'm.round'),
    text('metric', 'what it is', 'm.name'),
    double('value', 'the number', 'm.value'),
  ],
  ...ofRuns('metrics m', 'm.round, m.name'),
};

const SCORES: ExportTable = {
  name: 'scores',
  about: 'What was measured of a checkpoint over whole panels; [measures](measures.md) says how.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'c.round'),
    text('checkpoint', CHECKPOINT, 'c.checkpoint'),
    ...['train_return', 'validation_return', 'heldout_return', 'worst_heldout', 'cvar_heldout', 'heldout_std'].map(
      (key) => double(key, `see [measures](measures.md)`, `c.${key}`),
    ),
    ...['collapse_gap', 'relative_gap'].map((key) => double(key, 'see [measures](measures.md)', `c.${key}`)),
    text('verdict', 'what the relative gap says', 'c.verdict'),
    double('train_gain', 'return over the random policy on the training pool', 'c.train_gain'),
    double('heldout_gain', 'the same on the test panel', 'c.heldout_gain'),
    ...['visitation_divergence', 'zero_variance_share', 'policy_entropy', 'dwelling', 'indifference'].map((key) =>
      double(key, 'see [measures](measures.md)', `c.${key}`),
    ),
  ],
  ...ofRuns('checkpoint_scores c', 'c.round, c.checkpoint'),
};

const EVALUATIONS: ExportTable = {
  name: 'evaluations',
  about: 'A checkpoint on one simulator of a panel: means over its episodes.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'e.round'),
    text('checkpoint', CHECKPOINT, 'e.checkpoint'),
    text('panel', '`train`, `validation` or `test`', 'e.panel'),
    int32('position', 'place in the panel, from 0', 'e.position'),
    ...simulatorKey('e'),
    text(
      'reference_hash',
      "the random policy's episodes to compare with, see `reference_episodes`",
      'e.reference_hash',
    ),
    double('weight', 'weight in the mean over the panel', 'e.weight'),
    int32('episodes', 'how many episodes, n', 'e.episodes'),
    double('return_mean', 'mean return', 'e.return_mean'),
    double('return_std', 'standard deviation over the episodes', 'e.return_std'),
    double('length_mean', 'mean length in steps', 'e.length_mean'),
    double('success_rate', 'share of episodes that were a success, in [0, 1]', 'e.success_rate'),
    double('visitation_divergence', 'how other the states visited were than in training', 'e.visitation_divergence'),
  ],
  ...ofRuns('evaluations e', 'e.round, e.checkpoint, e.panel, e.position'),
};

const EPISODES: ExportTable = {
  name: 'episodes',
  about: 'Episodes of evaluations one by one. Episode k starts from the same seed for every policy and simulator.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'e.round'),
    text('checkpoint', CHECKPOINT, 'e.checkpoint'),
    text('panel', '`train`, `validation` or `test`', 'e.panel'),
    int32('position', 'place in the panel, as in `evaluations`, which has the simulator', 'e.position'),
    int32('episode', 'which episode, from 0', 'e.episode'),
    double('return', 'its return', 'e.return'),
    int32('length', 'its length in steps', 'e.length'),
    boolean('success', 'whether it was a success', 'e.success'),
  ],
  ...ofRuns('episodes e', 'e.round, e.checkpoint, e.panel, e.position, e.episode'),
};

const VISITATIONS: ExportTable = {
  name: 'visitations',
  about: 'Which states the learners visited in an evaluation: a histogram for each state feature of the family.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'h.round'),
    text('checkpoint', CHECKPOINT, 'h.checkpoint'),
    text('panel', '`train`, `validation` or `test`', 'h.panel'),
    int32('position', 'place in the panel, as in `evaluations`', 'h.position'),
    text('feature', 'the state feature', 'h.feature'),
    json('counts', 'how often each bin', 'h.counts'),
  ],
  ...ofRuns('visitations h', 'h.round, h.checkpoint, h.panel, h.position, h.feature'),
};

const REFERENCE_EPISODES: ExportTable = {
  name: 'reference_episodes',
  about: 'Episodes of the uniformly random policy, which gaps are measured from.',
  columns: [
    text('experiment', 'id of the experiment', '$1::text'),
    text('reference_hash', 'as in `evaluations`', 'p.reference_hash'),
    int64('evaluation_seed', 'seed of the evaluation', 'p.evaluation_seed'),
    int32('episode', 'which episode, from 0', 'p.episode'),
    double('return', 'its return', 'p.return'),
  ],
  from: `reference_episodes p where p.reference_hash in (
      select e.reference_hash from ${RUNS} join evaluations e on e.run_id = r.source_id)`,
  order: 'p.reference_hash, p.evaluation_seed, p.episode',
};

const TRAINING_EPISODES: ExportTable = {
  name: 'training_episodes',
  about: 'What a round trained on: means over its episodes on one simulator of the pool.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 't.round'),
    int32('position', 'place in the pool, from 0', 't.position'),
    ...simulatorKey('t'),
    int32('episodes', 'how many episodes, n', 't.episodes'),
    double('return_mean', 'mean return', 't.return_mean'),
    double('return_std', 'standard deviation over the episodes', 't.return_std'),
    double('length_mean', 'mean length in steps', 't.length_mean'),
    double('success_rate', 'share of episodes that were a success, in [0, 1]', 't.success_rate'),
    ...['positive_value_loss', 'value_mean', 'discounted_return_max', 'shortfall'].map((key) =>
      double(key, 'a score of its episodes; empty unless the strategy asked for it', `t.${key}`),
    ),
  ],
  ...ofRuns('training_episodes t', 't.round, t.position'),
};

const MEMBER_EPISODES: ExportTable = {
  name: 'member_episodes',
  about: 'Training episodes of a round by the policy that is trained inside the run, where there are several.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'm.round'),
    text('member', 'name of the policy', 'm.name'),
    int32('episodes', 'how many episodes, n', 'm.episodes'),
    double('return_mean', 'mean return', 'm.return_mean'),
  ],
  ...ofRuns('member_episodes m', 'm.round, m.name'),
};

const COSTS: ExportTable = {
  name: 'costs',
  about: 'Env steps by what they were played for.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'c.round'),
    text('activity', 'which step of the round', 'c.activity'),
    text('purpose', '`training`, `scoring`, `mining` or `evaluation`', 'c.purpose'),
    int64('env_steps', 'how many', 'c.env_steps'),
  ],
  ...ofRuns('costs c', 'c.round, c.activity, c.purpose'),
};

const SENSITIVITIES: ExportTable = {
  name: 'sensitivities',
  about:
    'The last policy on its training pool with one rule scaled, or with one scripted partner in all partner seats.',
  columns: [
    ...RUN_KEY,
    text('kind', 'what was changed', 's.kind'),
    int32('position', 'place in the list, from 0', 's.position'),
    text('name', 'the rule or the partner', 's.name'),
    double('factor', 'what the rule was scaled by', 's.factor'),
    int32('episodes', 'how many episodes, n', 's.episodes'),
    double('return_mean', 'mean return', 's.return_mean'),
    double('loss', 'return given up, as a share of what was gained over the random policy', 's.loss'),
    boolean('is_cliff', 'whether 5 % lost more than a tenth', 's.is_cliff'),
  ],
  ...ofRuns('sensitivities s', 's.kind, s.position'),
};

const CROSS_PLAY: ExportTable = {
  name: 'cross_play',
  about: 'The policy of one run in the seats that learn, with the policy of another in the other seats.',
  columns: [
    text('experiment', 'id of the experiment', 'c.experiment_id'),
    text('variant', 'whose policy learns', 'c.row_variant'),
    int64('seed', 'and of which seed', 'c.seed'),
    text('partner_variant', 'whose policy is the partner', 'c.column_variant'),
    int64('partner_seed', 'and of which seed', 'c.column_seed'),
    text('play_hash', 'hash of all that the return depends on', 'c.play_hash'),
    text('simulator_hash', 'whose physics it was', 'c.simulator_hash'),
    int64('evaluation_seed', 'seed of the episodes', 'c.evaluation_seed'),
    int32('episodes', 'how many episodes, n', 'c.episodes'),
    double('return_mean', 'mean return', 'c.return_mean'),
    double('return_std', 'standard deviation over the episodes', 'c.return_std'),
  ],
  from: 'cross_play c where c.experiment_id = $1',
  order: 'c.row_variant, c.seed, c.column_variant, c.column_seed, c.play_hash',
};

const ARTIFACTS: ExportTable = {
  name: 'artifacts',
  about: 'Files of runs: checkpoints that are kept, and policies.',
  columns: [
    ...RUN_KEY,
    int32('round', ROUND_ABOUT, 'a.round'),
    text('kind', '`checkpoint`, `policy:GROUP`, …', 'a.kind'),
    text('hash', 'SHA-256 of its bytes', 'a.hash'),
    int64('bytes', 'how large it is', 'a.bytes'),
  ],
  ...ofRuns('artifacts a', 'a.round, a.kind'),
};

const ATTEMPTS: ExportTable = {
  name: 'attempts',
  about: 'Tries at steps of rounds. A SKIPPED run has none of its own.',
  columns: [
    ...RUN_KEY,
    int32('attempt', 'its number within the run, from 1', 'a.number'),
    text('kind', 'which step it was', 'a.kind'),
    int32('round', 'rounds completed before it', 'a.round'),
    text('worker', 'who did it', 'a.worker'),
    timestamp('started_at', 'when it began', 'a.started_at'),
    timestamp('ended_at', 'when it ended; empty while it runs', 'a.ended_at'),
    text('outcome', '`done`, or how it failed; empty while it runs', 'a.outcome'),
    int32('exit_code', 'of its process', 'a.exit_code'),
    text('signal', 'which its process ended by', 'a.signal'),
    text('message', 'what was wrong', 'a.message'),
    text('log_tail', 'the end of what its process printed', 'a.log_tail'),
    double('peak_rss_mib', 'peak resident memory of its process, MiB', 'a.peak_rss_mib'),
    int32('memory_limit_mib', 'what it was allowed, MiB', 'a.memory_limit_mib'),
    int32('sampler_processes', 'how many played its episodes', 'a.sampler_processes'),
    int32('chunk_rows', 'rows of a minibatch that were computed at once; empty for all', 'a.chunk_rows'),
    text('next_change', 'what the next one does otherwise', 'a.next_change'),
    json('fingerprint', 'the machine that it ran on', 'a.fingerprint'),
  ],
  ...ofRuns('attempts a', 'a.number', 'r.id'),
  pageRows: LONG_ROWS,
};

const EVENTS: ExportTable = {
  name: 'events',
  about: 'The log of the experiment and of its runs, oldest first.',
  columns: [
    text('experiment', 'id of the experiment', 'n.experiment_id'),
    text('variant', 'variant of the run; empty where it concerns the experiment', 'u.variant'),
    int64('seed', 'seed of the run', 'u.seed'),
    timestamp('at', 'when', 'n.at'),
    text('kind', 'what happened', 'n.kind'),
    text('message', 'in words', 'n.message'),
  ],
  from: 'events n left join runs u on u.id = n.run_id where n.experiment_id = $1',
  order: 'n.id',
};

/** Every table that an export writes beside the results themselves, in the order of the guide. */
export const EXPORT_TABLES: readonly ExportTable[] = [
  EXPERIMENTS,
  VARIANTS,
  ROUNDS,
  METRICS,
  SCORES,
  EVALUATIONS,
  EPISODES,
  VISITATIONS,
  REFERENCE_EPISODES,
  TRAINING_EPISODES,
  MEMBER_EPISODES,
  COSTS,
  ...SIMULATOR_TABLES,
  SENSITIVITIES,
  CROSS_PLAY,
  ARTIFACTS,
  ATTEMPTS,
  EVENTS,
];
