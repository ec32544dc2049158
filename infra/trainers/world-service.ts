import type { Duplex } from 'node:stream';
import type { PlayedWorld } from '../../learning/trainers/played-world.ts';
import { ThawError } from '../../schemas/errors.ts';

// A message is its length (uint32) and so many bytes; numbers are little-endian. The program asks, and is answered:
//   O and JSON {"environments": B}   every environment at its first start
//   S and the actions of all seats   a step of all environments
// with the state, see `WorldReplies`, or after a byte 1 with why not, in words.

const LENGTH_BYTES = 4;
const MESSAGE_BYTES_MAX = 2 ** 28;
const ENVIRONMENTS_MAX = 65_536;
const OPEN = 'O'.charCodeAt(0);
const STEP = 'S'.charCodeAt(0);

export interface WorldServiceOptions {
  readonly open: (environmentCount: number) => Promise<PlayedWorld>;
  /** Called before every step. @throws when there must not be one */
  readonly beforeStep: (environmentCount: number) => void;
}

/** Plays the world of a round for a program at the other end of a pipe, one question after the other. */
export class WorldService {
  private readonly stream: Duplex;
  private readonly options: WorldServiceOptions;
  private world: PlayedWorld | null = null;
  private replies: WorldReplies | null = null;
  private pending: Buffer = Buffer.alloc(0);
  private turn: Promise<void> = Promise.resolve();

  constructor(stream: Duplex, options: WorldServiceOptions) {
    this.stream = stream;
    this.options = options;
    stream.on('data', (chunk: Buffer) => this.take(chunk));
  }

  /** The world that was played last; null when nobody asked for it. */
  get played(): PlayedWorld | null {
    return this.world;
  }

  async close(): Promise<void> {
    this.stream.removeAllListeners('data');
    await this.turn;
    this.stream.destroy();
    await this.world?.release();
  }

  private take(chunk: Buffer): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= LENGTH_BYTES) {
      const length = this.pending.readUInt32LE();
      if (length > MESSAGE_BYTES_MAX) return void this.stream.destroy();
      if (this.pending.length < LENGTH_BYTES + length) return;
      const message = this.pending.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
      this.pending = this.pending.subarray(LENGTH_BYTES + length);
      this.turn = this.turn.then(() => this.answer(message));
    }
  }

  private async answer(message: Buffer): Promise<void> {
    try {
      const kind = message[0];
      if (kind === OPEN) await this.openWorld(message.subarray(1).toString('utf8'));
      else if (kind === STEP) await this.step(message.subarray(1));
      else throw new ThawError('REQUEST_BAD_ARGUMENT', 'a message begins with O or S');
    } catch (error) {
      this.send(Buffer.concat([Buffer.of(1), Buffer.from((error as Error).message)]));
    }
  }

  private async openWorld(text: string): Promise<void> {
    const { environments: count } = JSON.parse(text) as { environments?: unknown };
    if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > ENVIRONMENTS_MAX) {
      const message = `environments: ${String(count)}; expected a whole number from 1 to ${ENVIRONMENTS_MAX}`;
      throw new ThawError('REQUEST_BAD_ARGUMENT', message);
    }
    if (this.world !== null) throw new ThawError('REQUEST_BAD_ARGUMENT', 'the world is open already');
    this.world = await this.options.open(count as number);
    this.replies = new WorldReplies(this.world);
    this.send(this.replies.current(true));
  }

  private async step(actions: Buffer): Promise<void> {
    const { world } = this;
    if (world === null) throw new ThawError('REQUEST_BAD_ARGUMENT', 'the world is not open yet');
    const { byteLength, byteOffset, buffer } = world.actions;
    if (actions.length !== byteLength) {
      const message = `${actions.length} bytes of actions; expected ${byteLength}, four for each number`;
      throw new ThawError('REQUEST_BAD_ARGUMENT', message);
    }
    this.options.beforeStep(world.ended.length);
    new Uint8Array(buffer, byteOffset, byteLength).set(actions);
    await world.step();
    this.send(this.replies!.current(world.ended.includes(1) || world.truncated.includes(1)));
  }

  private send(content: Uint8Array): void {
    const length = Buffer.allocUnsafe(LENGTH_BYTES);
    length.writeUInt32LE(content.length);
    this.stream.cork();
    this.stream.write(length);
    this.stream.write(content);
    this.stream.uncork();
  }
}

/**
 * What a program is told of the state of a world: four bytes, of which the first is 0 and the second says whether `final` is
 * told; then observations of each group, rewards, `final` of each group, simulators; then ended, truncated, seats, masks of
 * each group. Shapes are those of `PlayedWorld`.
 */
class WorldReplies {
  private readonly world: PlayedWorld;
  private readonly always: number;
  private readonly finalBytes: number;

  constructor(world: PlayedWorld) {
    this.world = world;
    const size = (arrays: readonly { byteLength: number }[]): number =>
      arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.always = LENGTH_BYTES + size(partsOf(world, []));
    this.finalBytes = size(world.final);
  }

  current(tellsFinal: boolean): Uint8Array {
    const { world } = this;
    // The stream may still hold the reply before, so that each has memory of its own.
    const reply = new Uint8Array(this.always + (tellsFinal ? this.finalBytes : 0));
    reply[1] = tellsFinal ? 1 : 0;
    let offset = LENGTH_BYTES;
    for (const { buffer, byteOffset, byteLength } of partsOf(world, tellsFinal ? world.final : [])) {
      reply.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
      offset += byteLength;
    }
    return reply;
  }
}

function partsOf(world: PlayedWorld, final: readonly Float32Array[]) {
  const { observations, rewards, simulators, ended, truncated, seats, masks } = world;
  return [...observations, rewards, ...final, simulators, ended, truncated, seats, ...masks];
}
