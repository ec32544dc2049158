import type { Server } from '../../contract/server.ts';
import { get } from '../api/request.ts';
import { useEffect, useState } from 'preact/hooks';

let asked: Promise<Server | null> | null = null;

/** What the server is and may do, asked for once for the whole page; null until it is known. */
export function useServer(): Server | null {
  const [server, setServer] = useState<Server | null>(null);
  useEffect(() => {
    asked ??= get<Server>('/server').catch(() => {
      asked = null;
      return null;
    });
    void asked.then(setServer);
  }, []);
  return server;
}
