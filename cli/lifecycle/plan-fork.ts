import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import * as rows from '../../infra/postgres/fork-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { differenceText } from '../../specification/differences.ts';
import { forkedVariantHash, type Origin } from '../../specification/experiment-identity.ts';
import { keepsEvaluations, refusedForkChanges } from '../../specification/fork-changes.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { roundSchedule } from '../../specification/plan.ts';
import { limitedLines } from '../terminal/limited-lines.ts';
import { countText } from '../../web/documents/quantity-text.ts';
import { variantDifferences } from '../submission/submission-changes.ts';

/** What a fork takes over, and what is worth knowing about it. */
export interface ForkPlan {
  readonly rows: rows.Fork;
  readonly origins: readonly Origin[];
  /** A sentence each. */
  readonly notes: readonly string[];
}

export interface Forking {
  readonly parent: ExperimentRecord;
  /** The parent's spec as this version reads it. */
  readonly before: ResolvedExperiment;
  readonly after: ResolvedExperiment;
  readonly round: number;
}

/**
 * What the runs of a fork take over from their parents' first rounds. Cells that the parent does not have begin at their
 * beginning. Nothing is written.
 * @throws REQUEST_CONFLICT when a change reaches into these rounds, or a checkpoint is not there
 */
export async function planFork(database: Database, forking: Forking): Promise<ForkPlan> {
  const { parent, before, after, round } = forking;
  const shared = Object.keys(after.variants).filter((name) => before.variants[name] !== undefined);
  refuseChanges(forking, shared);
  await refuseMetSimulators(database, forking);
  const sources = (await rows.listForkSources(database, parent.id, round)).filter(
    ({ variant, seed }) => shared.includes(variant) && after.seeds.includes(seed),
  );
  refuseMissing(forking, sources);
  const kept = shared.filter((name) => keepsEvaluations(before.variants[name]!, after.variants[name]!));
  const evaluations = kept.map((name) => {
    const { evaluation, budget } = after.variants[name]!;
    return [name, { everyRounds: evaluation.every_rounds, roundCount: budget.rounds }] as const;
  });
  return {
    rows: {
      from: parent.id,
      round,
      runs: sources.map(({ variant, seed, id, variantHash }) => ({
        variant,
        seed,
        from: id,
        variantHash: forkedVariantHash(after.variant_hashes[variant]!, { variantHash, round }),
      })),
      evaluations: Object.fromEntries(evaluations),
    },
    origins: sources.map(({ variantHash }) => ({ variantHash, round })),
    notes: [
      ...historyNotes(
        round,
        shared.filter((name) => !kept.includes(name)),
      ),
      ...shared.flatMap((name) => budgetNote(forking, name, sources)),
    ],
  };
}

function historyNotes(round: number, variants: readonly string[]): string[] {
  if (variants.length === 0) return [];
  return [
    `Evaluations before round ${round} are left behind, because they would be made otherwise now: ${variants.join(', ')}.`,
  ];
}

/** The schedule of a whole run, begun in its middle, gives what it says only where the rounds before were of its size. */
function budgetNote({ after, round }: Forking, name: string, sources: readonly rows.ForkSource[]): string[] {
  const variant = after.variants[name]!;
  const { blockSteps, updateCount, updatesOfRound } = roundSchedule(variant, DEFAULT_REGISTRIES);
  const before = sources.find((source) => source.variant === name)?.envSteps ?? null;
  const later = updatesOfRound.slice(round).reduce((sum, updates) => sum + updates, 0) * blockSteps;
  const planned = updateCount * blockSteps;
  if (before === null || before + later === planned) return [];
  const rest = `${countText(before)} of the rounds taken over and ${countText(later)} of those to come`;
  return [`Runs of ${name} end with ${countText(before + later)} env steps instead of ${countText(planned)}: ${rest}.`];
}

function refuseChanges({ parent, before, after, round }: Forking, shared: readonly string[]): void {
  const short = shared.filter((name) => after.variants[name]!.budget.rounds < round);
  if (short.length > 0) {
    const rounds = after.variants[short[0]!]!.budget.rounds;
    throw new ThawError(
      'REQUEST_CONFLICT',
      `Variant ${short[0]} has ${rounds} rounds, fewer than the ${round} to take over.`,
      {
        remedy: `Ask for more rounds with \`--set budget.rounds=…\`, or fork at an earlier one.`,
      },
    );
  }
  const refused = shared.flatMap((name) => {
    const found = refusedForkChanges(before.variants[name]!, after.variants[name]!, DEFAULT_REGISTRIES);
    return found.map((difference) => ({ name, path: difference.path }));
  });
  if (refused.length === 0) return;
  const isRefused = (path: readonly (string | number)[]) =>
    refused.some((each) =>
      [each.path.join('/'), ['variants', each.name, ...each.path].join('/')].includes(path.join('/')),
    );
  const all = variantDifferences(pick(before.variants, shared), pick(after.variants, shared));
  const lines = all.filter(({ path }) => isRefused(path)).map(differenceText);
  throw new ThawError(
    'REQUEST_CONFLICT',
    `Rounds 1 to ${round} of ${parent.id} would not be what they are with these changes:\n${limitedLines(lines)}`,
    {
      remedy:
        'Leave out --from: the fork then begins at its beginning. At a round, the budget, parameters of learning that keep ' +
        'the networks, evaluation, what is held out, and execution can change.',
    },
  );
}

function pick<Value>(record: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, record[name]!]));
}

/** Held out means held out, also from the rounds that a fork takes over. */
async function refuseMetSimulators(database: Database, { parent, after, round }: Forking): Promise<void> {
  const panels = panelSimulatorsByVariant(after.variants, DEFAULT_REGISTRIES);
  const met = await rows.listMetSimulators(database, parent.id, { upTo: round });
  const lines = met.flatMap(({ variant, simulatorHash, how }) =>
    (panels[variant] ?? [])
      .filter((held) => held.simulatorHash === simulatorHash)
      .filter(({ panel }) => panel === 'test' || (panel === 'validation' && how === 'trained'))
      .map(
        ({ panel, name }) =>
          `variants.${variant}.panels.${panel}: "${name}" was ${how === 'mined' ? 'mined' : 'trained on'}`,
      ),
  );
  if (lines.length === 0) return;
  throw new ThawError(
    'REQUEST_CONFLICT',
    `The fork would hold out what ${parent.id} has met in its first ${round} rounds:\n${limitedLines(lines)}`,
    { remedy: 'Hold out other simulators, fork at an earlier round, or leave out --from.' },
  );
}

function refuseMissing({ parent, round }: Forking, sources: readonly rows.ForkSource[]): void {
  const missing = sources.filter(({ rounds }) => !rounds.includes(round));
  if (sources.length > 0 && missing.length === 0) return;
  if (sources.length === 0) {
    throw new ThawError(
      'REQUEST_CONFLICT',
      `The fork has no run in common with ${parent.id} that could go on at round ${round}.`,
      {
        remedy: 'Keep variants and seeds of it, or leave out --from.',
      },
    );
  }
  const lines = missing.map(({ variant, seed, rounds }) => `${variant}/${seed}: ${rounds.join(', ') || 'none yet'}`);
  const common = sources.reduce<readonly number[]>(
    (left, { rounds }) => left.filter((each) => rounds.includes(each)),
    sources[0]!.rounds,
  );
  throw new ThawError(
    'REQUEST_CONFLICT',
    `${missing.length} of ${sources.length} runs have no checkpoint of round ${round}. They have those of rounds:\n${limitedLines(lines)}`,
    {
      remedy: `Kept are those of the last two rounds and of every evaluated one. ${common.length === 0 ? 'No round is there for all runs yet.' : `For all runs there are: ${common.join(', ')}.`}`,
    },
  );
}
