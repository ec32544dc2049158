import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ThawError } from '../../schemas/errors.ts';
import { isGroupAlive, isSameProcessAlive, processIdentity, terminateGroup } from '../process-group.ts';
import type { ProcessIdentity } from '../process-group.ts';
import { logSize, readLogTail } from './log-file.ts';
import { openLog } from './private-folder.ts';
import type { Service, StopRule } from './service.ts';

const ADOPTED_POLL_MS = 250;
const PROBE_POLL_MS = 50;

/** A running process of ours, started by us or found running; the leader of its own group. */
export interface ServiceProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  /** Resolves once the leader has ended, with the way it ended. */
  readonly ended: Promise<string>;
}

/**
 * Starts a service as the leader of a process group of its own, so that it ends only when told, with its output appended to the
 * log file. The file is opened here and not piped: the service goes on when we die.
 *
 * @param options.signal ends the start early
 * @param options.onStarted called before anything else can happen, to record the process
 * @returns once the service answers its probe
 * @throws the service's error code, with the end of its log, when it ends or stays silent before that
 */
export async function startService(
  service: Service,
  options: { logFile: string; signal: AbortSignal; onStarted: (running: ServiceProcess) => void },
): Promise<ServiceProcess> {
  const { logFile, signal, onStarted } = options;
  await service.prepare();
  const logOffset = logSize(logFile);
  const running = spawnLogged(service, logFile);
  try {
    onStarted(running);
  } catch (error) {
    await stopProcess(running, service.stopRule);
    throw error;
  }
  let isEnded = false;
  void running.ended.then(() => (isEnded = true));
  const deadline = performance.now() + service.readyTimeoutMs;
  for (;;) {
    const silence = await service.probe().then(
      () => null,
      (error: unknown) => error,
    );
    if (isEnded || signal.aborted || performance.now() > deadline) break;
    if (silence === null) return running;
    await delay(PROBE_POLL_MS);
  }
  const details = { isEnded, service: service.name };
  await stopProcess(running, service.stopRule);
  const tail = readLogTail(logFile, logOffset) || '(empty)';
  const message = `${service.name} did not start: it ${await running.ended}. End of its log:\n${tail}`;
  throw new ThawError(service.errorCode, message, { details });
}

/** Takes over a process that a supervisor before us started: not our child, so its end is polled for. */
export function adoptProcess(pid: number, identity: ProcessIdentity): ServiceProcess {
  const watch = async () => {
    while (isSameProcessAlive(pid, identity)) await delay(ADOPTED_POLL_MS);
    return 'ended (it was adopted, so its exit code is unknown)';
  };
  return { pid, identity, ended: watch() };
}

/**
 * Ends a process and its group.
 *
 * @throws WORLD_SUPERVISOR_UNAVAILABLE when a process survives even SIGKILL
 */
export async function stopProcess(running: { pid: number }, rule: StopRule): Promise<void> {
  if (await terminateGroup(running.pid, rule)) return;
  throw new ThawError('WORLD_SUPERVISOR_UNAVAILABLE', `Process group ${running.pid} does not end even when killed.`);
}

/** Whether anything is left of a process or of the group it led. */
export function isLeftOver(record: { pid: number; identity: ProcessIdentity }): boolean {
  return (
    isSameProcessAlive(record.pid, record.identity) ||
    (processIdentity(record.pid) === null && isGroupAlive(record.pid))
  );
}

function spawnLogged(service: Service, logFile: string): ServiceProcess {
  const { command, args, env, cwd, account } = service.program;
  const log = openLog(logFile);
  const child = spawn(command, args, {
    cwd,
    // Where temporary files go is a matter of the machine, not of the service.
    env: { TMPDIR: tmpdir(), ...env },
    detached: true,
    stdio: ['ignore', log, log],
    ...(account !== null && { uid: account.uid, gid: account.gid }),
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was killed by ${signal}`),
    );
  });
  if (child.pid === undefined) throw new ThawError(service.errorCode, `${command} cannot be started.`);
  return { pid: child.pid, identity: processIdentity(child.pid) ?? 'ended', ended };
}
