import { chmodSync, existsSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** Whoever else is on the machine may connect, and must not use up all that we can open. */
const CONNECTIONS_MAX = 1_000;

/**
 * Listens on a supervisor's socket, which makes us the one supervisor of its home.
 *
 * @returns null when another process listens there
 */
export async function listenAlone(address: string, onConnection: (socket: Socket) => void): Promise<Server | null> {
  try {
    return await listen(address, onConnection);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const other = await connectTo(address);
    other?.destroy();
    // A socket file without a listener is what a killed supervisor left; an abstract socket leaves none.
    if (other !== null || address.startsWith('\0') || !existsSync(address)) return null;
    rmSync(address, { force: true });
    return listen(address, onConnection);
  }
}

/** @returns null when nobody listens there */
export async function connectTo(address: string): Promise<Socket | null> {
  const socket = connect(address);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

async function listen(address: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  server.maxConnections = CONNECTIONS_MAX;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      // An abstract socket, which has no mode, is open to every user; requests carry a secret anyway.
      if (!address.startsWith('\0')) chmodSync(address, 0o600);
      resolve(server);
    });
  });
}
