import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { executorName, executorOn, usableDevices } from './executors.ts';
import { machineFingerprint } from './fingerprint.ts';
import { loadNativeTensorflow, nativeTensorflowVersion } from './tensorflow/native-package.ts';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'thaw-executors-'));
  folder = path.join(root, 'dist/gpu/node_modules/@tensorflow/tfjs-node-gpu');
});
afterEach(() => rm(root, { recursive: true }));

const isMissing = (words: string): unknown =>
  expect.objectContaining({
    code: 'REQUEST_DEVICE_MISSING',
    message: expect.stringMatching(`@tensorflow/tfjs-node-gpu.*${words}`) as string,
    remedy: expect.stringContaining('node cli/launch.mjs --setup gpu') as string,
  });

async function install(main: string): Promise<void> {
  await mkdir(path.join(folder, 'lib/napi-v8'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ version: '4.22.0', main: 'index.js' }));
  await writeFile(path.join(folder, 'index.js'), main);
}

test('the processor can always be computed on, and its name is that of the executor', async () => {
  expect(usableDevices()).toContain('cpu');
  const { name, version } = await executorOn('cpu');
  expect(executorName('cpu')).toBe(`${name} ${version}`);
  expect(machineFingerprint('cpu')['executor']).toBe(executorName('cpu'));
  expect(executorOn('cpu')).toBe(executorOn('cpu'));
});

test('without its package a GPU is refused by the name of the package and the command that installs it', () => {
  expect(() => nativeTensorflowVersion(root)).toThrow(isMissing('not installed'));
  expect(() => loadNativeTensorflow(root)).toThrow(isMissing('not installed'));
});

test('a package without its library counts as missing, and is found as soon as it has it', async () => {
  await install('exports.sum = (left, right) => left + right;');
  await rm(path.join(folder, 'lib/napi-v8'), { recursive: true });
  expect(() => nativeTensorflowVersion(root)).toThrow(isMissing('not installed'));
  await mkdir(path.join(folder, 'lib/napi-v8'));
  await writeFile(path.join(folder, 'lib/napi-v8/tfjs_binding.node'), '');
  expect(nativeTensorflowVersion(root)).toBe('4.22.0');
  expect(Object.keys(loadNativeTensorflow(root))).toEqual(['sum']);
});

test('a package that does not load says why', async () => {
  await install("throw new Error('libcudart.so is not there');");
  await writeFile(path.join(folder, 'lib/napi-v8/tfjs_binding.node'), '');
  expect(() => loadNativeTensorflow(root)).toThrow(isMissing('libcudart.so is not there'));
});
