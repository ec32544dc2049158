import { useEffect, useState } from 'preact/hooks';
import { connectionNow, onConnection, type Connection } from './changes.ts';

/** Whether events arrive, kept up to date. */
export function useConnection(): Connection {
  const [connection, setConnection] = useState(connectionNow());
  useEffect(() => {
    setConnection(connectionNow());
    return onConnection(() => setConnection(connectionNow()));
  }, []);
  return connection;
}
