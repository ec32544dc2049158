import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A wire to a server that can be cut. */
export interface TcpProxy {
  /** host:port to connect to instead of the server's. */
  readonly address: string;
  readonly port: number;
  /** Nothing gets through any more, and nobody is told: bytes wait, as they do when a network is gone. */
  cut(): void;
  /** Every connection breaks, and new ones are refused, as when the server is gone. */
  refuse(): void;
  /** Everything gets through again, what waited first. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine before a server on it. */
export async function startTcpProxy(target: { readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'refusing' = 'open';
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => undefined);
      from.on('end', () => to.end());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (state === 'cut') from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const breakAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    address: `127.0.0.1:${port}`,
    port,
    cut() {
      state = 'cut';
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    refuse() {
      state = 'refusing';
      breakAll();
    },
    restore() {
      state = 'open';
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
