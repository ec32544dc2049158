import { noteOnTerminal } from '../terminal/terminal.ts';
import { recordHistories } from './record-histories.ts';
import { runDisturbed } from './disturbed-run.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, type BenchReport } from './report.ts';
import { VICTIMS } from './victims.ts';

/** The law of the product, shown: kill −9 of each component in the middle of a run, and the rows are the same. */
export async function benchDurability({ histories }: { histories: string | undefined }): Promise<BenchReport> {
  const undisturbed = await inPrivateHome((session) => runDisturbed(session, []));
  noteOnTerminal(`undisturbed: ${undisturbed.digest}`);
  const ours: Record<string, unknown> = { undisturbed };
  let equal = 0;
  for (const victim of VICTIMS) {
    const run = await inPrivateHome((session) => runDisturbed(session, [victim]));
    const isEqual = run.digest === undisturbed.digest && run.survivors === 0 && run.killed.length === 1;
    noteOnTerminal(`kill -9 of ${victim}: ${run.digest} ${isEqual ? 'equal' : 'NOT EQUAL'}`);
    if (isEqual) equal += 1;
    ours[`kill -9 of ${victim}`] = { equal: isEqual, ...run };
  }
  if (histories !== undefined) await recordDisturbed(histories);
  return {
    name: 'durability',
    ours: { ...ours, 'equal rows': `${equal} of ${VICTIMS.length}` },
    peers: [],
    ratios: {},
    n: VICTIMS.length,
    machine: machine(),
  };
}

/** One run that all of them befall leaves histories with failures of every kind. */
async function recordDisturbed(folder: string): Promise<void> {
  await inPrivateHome(async (session) => {
    await runDisturbed(session, VICTIMS);
    await recordHistories(session, folder);
  });
}
