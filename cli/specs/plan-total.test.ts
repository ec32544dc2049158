import { describe, expect, it } from 'vitest';
import { memoryWarnings, planTotal, totalText, type Planned } from './plan-total.ts';

const planned = (
  file: string,
  { runs, each, atATime, seconds }: Record<'runs' | 'each' | 'atATime' | 'seconds', number>,
): Planned => ({
  file,
  experiment: {
    name: file,
    execution: { memory_mib: each, max_concurrent_runs: atATime } as Planned['experiment']['execution'],
  },
  plan: { runs, env_steps: 1000 * runs, estimated_s: (seconds * runs) / atATime, memory_mib: each * atATime },
});
const SMALL = planned('small.json', { runs: 10, each: 512, atATime: 2, seconds: 30 });
const WIDE = planned('wide.json', { runs: 100, each: 1024, atATime: 8, seconds: 30 });
const HUGE = planned('huge.json', { runs: 1, each: 16_384, atATime: 1, seconds: 600 });
const MACHINE = { slots: 4, memoryMib: 4096 };

describe('the total of several plans', () => {
  it('is the sum of runs, steps and memory, and the time that all run seconds take in the slots of this machine', () => {
    const total = planTotal([SMALL, WIDE], MACHINE);
    expect(total).toEqual({ runs: 110, envSteps: 110_000, estimatedS: (110 * 30) / 4, memoryMib: 2 * 512 + 8 * 1024 });
    expect(totalText([SMALL, WIDE], total)).toContain('2 files: 110 runs, 110 000 env steps, about 13 min 45 s');
  });

  it('takes no less than the longest of them', () => {
    expect(planTotal([SMALL, HUGE], { ...MACHINE, slots: 64 }).estimatedS).toBe(600);
  });

  it('warns of what does not fit: of one run that is too large, and of runs that have to wait', () => {
    expect(memoryWarnings([SMALL], MACHINE)).toEqual([]);
    const [huge, wide, ...rest] = memoryWarnings([HUGE, SMALL, WIDE], MACHINE);
    expect(rest).toEqual([]);
    expect(huge).toContain('huge.json: one run may take 16 384 MiB, and a worker here has 4 096 MiB');
    expect(wide).toContain('wide.json: 8 runs at a time may take 8 192 MiB');
    expect(wide).toContain('4 runs at a time fit');
  });
});
