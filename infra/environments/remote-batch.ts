import { ThawError } from '../../schemas/errors.ts';
import type { ActionArray } from '../../simulators/contract.ts';
import type { BridgedLayout, BridgeSettings, RemoteBatch } from '../../simulators/bridged/bridge.ts';
import { HEADER_BYTES, OPERATION, type PythonProcess } from './python-process.ts';

// Letters: B environments, N seats, G seats of a group, O numbers of its observation, A of its actions, W numbers of an
// action, R rules.

const SEED_AT = 1;
const RULES_AT = 2;

/** Batches whose owner forgot to close them, or was cut short, are closed when they are collected. */
const forgotten = new FinalizationRegistry<() => void>((close) => close());

/**
 * B environments of a Python process. One message steps them all: a request is sent from the array that the actions are
 * written to, and the answer is read into the arrays that are looked at.
 */
export class PythonBatch implements RemoteBatch {
  readonly rewards: Float64Array;
  readonly observations: readonly Float32Array[];
  readonly masks: readonly Uint8Array[];
  readonly ended: Uint8Array;
  readonly cut: Uint8Array;
  readonly actions: ActionArray;
  private readonly process: PythonProcess;
  private readonly number: number;
  private readonly stepRequest: Uint8Array;
  private readonly reply: Uint8Array;
  /** Shape [B, 2 + R]: environment, seed, rules. */
  private readonly resets: Float64Array;
  private readonly resetRequest: Uint8Array;
  private readonly ruleCount: number;
  /** Shape [B]: where an environment stands among the resets; −1 for nowhere. */
  private readonly queuedAt: Int32Array;
  private queuedCount = 0;
  private readonly closeOnce: () => void;

  constructor(process: PythonProcess, settings: BridgeSettings, layout: BridgedLayout) {
    const { environmentCount, seatCount, actionSize, isBox, masked, groups, ruleCount } = layout;
    const request = { settings, count: environmentCount, masked };
    const { batch, length } = process.ask(OPERATION.open, 0, request) as { batch: number; length: number };
    this.process = process;
    this.number = batch;
    const actionNumbers = environmentCount * seatCount * actionSize;
    this.stepRequest = requestOf(OPERATION.step, batch, 4 * actionNumbers);
    const { buffer } = this.stepRequest;
    this.actions = isBox
      ? new Float32Array(buffer, HEADER_BYTES, actionNumbers)
      : new Int32Array(buffer, HEADER_BYTES, actionNumbers);
    const record = RULES_AT + ruleCount;
    this.ruleCount = ruleCount;
    this.resetRequest = requestOf(OPERATION.reset, batch, 8 * environmentCount * record);
    this.resets = new Float64Array(this.resetRequest.buffer, HEADER_BYTES);
    this.queuedAt = new Int32Array(environmentCount).fill(-1);
    this.reply = new Uint8Array(HEADER_BYTES + length);
    const views = new Views(this.reply.buffer as ArrayBuffer);
    this.rewards = views.doubles(environmentCount * seatCount);
    this.observations = groups.map((group) => views.floats(environmentCount * group.seatCount * group.observationSize));
    this.ended = views.bytes(environmentCount);
    this.cut = views.bytes(environmentCount);
    this.masks = masked
      ? groups.map((group) => views.bytes(environmentCount * group.seatCount * group.actionCount))
      : [];
    views.checkEnd();
    this.closeOnce = closing(process, batch);
    forgotten.register(this, this.closeOnce, this);
  }

  queueReset(environment: number, seed: number, rules: readonly number[]): void {
    const known = this.queuedAt[environment]!;
    const at = known >= 0 ? known : this.queuedCount++;
    this.queuedAt[environment] = at;
    const first = at * (RULES_AT + this.ruleCount);
    this.resets[first] = environment;
    this.resets[first + SEED_AT] = seed;
    for (let rule = 0; rule < this.ruleCount; rule += 1) this.resets[first + RULES_AT + rule] = rules[rule]!;
  }

  unqueueReset(environment: number): void {
    const at = this.queuedAt[environment]!;
    if (at < 0) return;
    const record = RULES_AT + this.ruleCount;
    this.queuedCount -= 1;
    // The last takes its place.
    this.resets.copyWithin(at * record, this.queuedCount * record, (this.queuedCount + 1) * record);
    if (at < this.queuedCount) this.queuedAt[this.resets[at * record]!] = at;
    this.queuedAt[environment] = -1;
  }

  flush(): void {
    if (this.queuedCount === 0) return;
    const bytes = 8 * this.queuedCount * (RULES_AT + this.ruleCount);
    writeHeader(this.resetRequest, OPERATION.reset, this.number, bytes);
    this.queuedCount = 0;
    this.queuedAt.fill(-1);
    this.process.exchange(this.resetRequest.subarray(0, HEADER_BYTES + bytes), this.reply);
  }

  step(): void {
    this.process.exchange(this.stepRequest, this.reply);
  }

  replay(environment: number, actions: readonly (readonly number[])[]): void {
    const body = Buffer.from(JSON.stringify({ environment, actions }));
    const request = requestOf(OPERATION.replay, this.number, body.length);
    request.set(body, HEADER_BYTES);
    this.process.exchange(request, this.reply);
  }

  close(): void {
    forgotten.unregister(this);
    this.closeOnce();
  }
}

/** Holds no batch, so that one can be collected. */
function closing(process: PythonProcess, batch: number): () => void {
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      if (process.isAlive) process.ask(OPERATION.close, batch, {});
    } catch {
      // A process that has died has closed all; whoever uses another batch of it will hear why.
    }
  };
}

function requestOf(operation: number, batch: number, bodyBytes: number): Uint8Array {
  const request = new Uint8Array(HEADER_BYTES + bodyBytes);
  writeHeader(request, operation, batch, bodyBytes);
  return request;
}

function writeHeader(request: Uint8Array, operation: number, batch: number, bodyBytes: number): void {
  new Uint32Array(request.buffer, 0, 4).set([operation, batch, bodyBytes, 0]);
}

/** Arrays one after the other over the body of a reply. */
class Views {
  private readonly buffer: ArrayBuffer;
  private offset = HEADER_BYTES;

  constructor(buffer: ArrayBuffer) {
    this.buffer = buffer;
  }

  doubles(count: number): Float64Array {
    return new Float64Array(this.buffer, this.take(8 * count), count);
  }

  floats(count: number): Float32Array {
    return new Float32Array(this.buffer, this.take(4 * count), count);
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.buffer, this.take(count), count);
  }

  /** @throws DEFECT_SHAPE_MISMATCH unless all of the reply is seen */
  checkEnd(): void {
    if (this.offset === this.buffer.byteLength) return;
    const message = `replies have ${this.buffer.byteLength} bytes, ${this.offset} expected`;
    throw new ThawError('DEFECT_SHAPE_MISMATCH', message);
  }

  private take(bytes: number): number {
    const first = this.offset;
    this.offset += bytes;
    if (this.offset > this.buffer.byteLength) this.checkEnd();
    return first;
  }
}
