import { spawn } from 'node:child_process';

/** The output of a step that failed is cut to its last lines: the reason stands there. */
const OUTPUT_LINES = 20;

/** What failed, why, and what to do: all that the person in front of the terminal gets to see. */
export class SetupError extends Error {
  /**
   * @param {string} what
   * @param {string} remedy
   */
  constructor(what, remedy) {
    super(`${what}\n${remedy}`);
    this.name = 'SetupError';
  }
}

/**
 * Runs a program to its end and keeps its output to itself, unless it fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ isSuccess: boolean, output: string }>} the last lines of its output
 */
export async function runStep(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const isSuccess = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  return { isSuccess, output: output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n') };
}

/** Causes by what programs print of them, each with what to do. */
const CAUSES = [
  {
    sign: /npm (error|ERR!).*(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|network)/,
    why: 'The package registry cannot be reached.',
    remedy:
      'Check the network, or the proxy and registry that `npm config list` shows, and run the same command again.',
  },
  {
    sign: /ENOSPC|EDQUOT/,
    why: 'The disk is full.',
    remedy: 'Free at least 1 GB on the disk of the installation, and run the same command again.',
  },
  {
    sign: /EACCES|EPERM|EROFS/,
    why: 'The installation is not writable for you.',
    remedy: 'Let its owner run `node cli/launch.mjs --setup` once, or use a copy of your own.',
  },
  {
    sign: /spawn npm ENOENT/,
    why: '`npm` is not on the PATH.',
    remedy: 'Install npm, which comes with Node, and run the same command again.',
  },
];

/**
 * @param {string} what the step that failed
 * @param {string} output what it printed
 */
export function setupErrorFromOutput(what, output) {
  const cause = CAUSES.find(({ sign }) => sign.test(output));
  const why = cause?.why ?? 'See its output above.';
  return new SetupError(
    `${output}\n\n${what} failed. ${why}`,
    cause?.remedy ?? 'Correct that, and run the same command again.',
  );
}
