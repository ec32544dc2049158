import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChildGroups } from './child-groups.ts';
import { memoryBudget } from './memory-budget.ts';
import { groupMemoryLimitMib, outOfMemoryKillCount } from './own-control-group.ts';

// A folder in the shape of the kernel's files: which control groups a machine has cannot be chosen.

const MIB = 2 ** 20;
let root: string;
beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'thaw-groups-'))));
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const VERSIONS = {
  1: {
    own: '7:memory,other:/user/mine\n1:name=systemd:/\n',
    base: 'sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
  },
  2: { own: '0::/user/mine\n', base: 'sys/fs/cgroup', limit: 'memory.max' },
} as const;
const UNLIMITED = { 1: '9223372036854771712\n', 2: 'max\n' } as const;
const COUNTER = { 1: 'memory.oom_control', 2: 'memory.events' } as const;

describe.each([1, 2] as const)('control groups of version %i', (version) => {
  const { own, base, limit } = VERSIONS[version];
  beforeEach(() => write('proc/self/cgroup', own));

  it('limit the memory of a worker by the least limit from its own group upwards', () => {
    write(`${base}/user/mine/${limit}`, UNLIMITED[version]);
    write(`${base}/user/${limit}`, `${512 * MIB}\n`);
    expect(groupMemoryLimitMib(root)).toBe(512);
    write(`${base}/user/mine/${limit}`, `${300 * MIB}\n`);
    expect(groupMemoryLimitMib(root)).toBe(300);
    expect(memoryBudget(null, root)).toEqual({ limitMib: 0.9 * 300, isChosen: false });
  });

  it('that a container hides are looked for where it shows them', () => {
    write(`${base}/${limit}`, `${256 * MIB}\n`);
    expect(groupMemoryLimitMib(root)).toBe(256);
  });

  it('[P25] count whom the kernel has killed for memory', () => {
    expect(outOfMemoryKillCount(root)).toBe(0);
    write(`${base}/user/mine/${COUNTER[version]}`, 'low 0\noom 3\nunder_oom 0\noom_kill 2\n');
    expect(outOfMemoryKillCount(root)).toBe(2);
  });

  const folder = (): string => path.join(root, base, 'thaw');
  const sign = { 1: 'memory.limit_in_bytes', 2: 'cgroup.controllers' }[version];
  const prepare = (): void => {
    write(path.join(base, 'thaw', sign), '');
    if (version === 2) write(path.join(base, 'thaw/cgroup.subtree_control'), 'cpu');
  };

  it('are made for a child, with its limit and its process, and tell whether that limit killed it', () => {
    prepare();
    const groups = openChildGroups(folder());
    const group = groups.open(300)!;
    group.add(4711);
    const text = (file: string): string => readFileSync(path.join(group.folder, file), 'utf8');
    expect(path.dirname(group.folder)).toBe(folder());
    expect([text(limit), text('cgroup.procs')]).toEqual([String(300 * MIB), '4711']);
    if (version === 2) expect(readFileSync(path.join(folder(), 'cgroup.subtree_control'), 'utf8')).toBe('+memory');
    expect(group.killCount()).toBe(0);
    writeFileSync(path.join(group.folder, COUNTER[version]), 'oom_kill 1\n');
    expect(group.killCount()).toBe(1);
  });

  it('that a killed worker left behind are removed when the next is made', () => {
    prepare();
    mkdirSync(path.join(folder(), 'thaw-left'));
    mkdirSync(path.join(folder(), 'foreign'));
    openChildGroups(folder()).open(300);
    expect(existsSync(path.join(folder(), 'thaw-left'))).toBe(false);
    expect(existsSync(path.join(folder(), 'foreign'))).toBe(true);
  });
});

it('[P25] an old kernel counts how often the limit of a group of version 1 was reached', () => {
  write('proc/self/cgroup', VERSIONS[1].own);
  write(`${VERSIONS[1].base}/user/mine/memory.oom_control`, 'oom_kill_disable 0\nunder_oom 0\n');
  write(`${VERSIONS[1].base}/user/mine/memory.failcnt`, '4\n');
  expect(outOfMemoryKillCount(root)).toBe(4);
});

describe('a control group that cannot be divided', () => {
  it('is refused by its name, and nothing is left in it', () => {
    const folder = path.join(root, 'plain');
    mkdirSync(folder);
    expect(() => openChildGroups(folder)).toThrow(`THAW_CONTROL_GROUP: ${folder} cannot be divided`);
    // A group of version 2 that does not say what it passes on.
    writeFileSync(path.join(folder, 'cgroup.controllers'), 'cpu memory');
    expect(() => openChildGroups(folder)).toThrow(/cannot be divided: .*empty of processes/);
    expect(readdirSync(folder)).toEqual(['cgroup.controllers']);
  });
});

describe('the memory of a worker without control groups', () => {
  it('is that of the machine, or what it is told', () => {
    expect(groupMemoryLimitMib(root)).toBe(Infinity);
    expect(outOfMemoryKillCount(root)).toBe(0);
    expect(memoryBudget(null, root).limitMib).toBe(Math.floor((0.9 * totalmem()) / MIB));
    expect(memoryBudget(512, root)).toEqual({ limitMib: 512, isChosen: true });
  });
});
