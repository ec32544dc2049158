import { useEffect, useRef } from 'preact/hooks';
import { useConnection } from './live/use-connection.ts';
import { announce } from './parts/announce.ts';
import { Heading } from './parts/heading.tsx';
import { Link } from './parts/link.tsx';
import { useServer } from './parts/use-server.ts';
import { ROUTES } from './routes.tsx';
import { matchPath, usePlace } from './router.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** What surrounds every view: where one can go, whether events arrive, and the view that the address names. */
export function Shell() {
  const { path } = usePlace();
  const main = useFocusOnMove(path);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => focusMain(event, main.current)}>
        Skip to content
      </a>
      <header class="bar">
        <Link to="/" class="brand">
          Thaw
        </Link>
        <nav aria-label="Main">
          <Link to="/experiments" isCurrent={path === '/' || path.startsWith('/experiments')}>
            Experiments
          </Link>
          <Link to="/runs" isCurrent={path.startsWith('/runs')}>
            Runs
          </Link>
        </nav>
        <ConnectionState />
        <ThemeSwitch />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <CurrentView path={path} />
      </main>
      <Footer />
      <div id="announcer" class="unseen" role="status" aria-live="polite" />
    </>
  );
}

function CurrentView({ path }: { readonly path: string }) {
  for (const [pattern, View] of ROUTES) {
    const params = matchPath(pattern, path);
    if (params !== null) return <View key={JSON.stringify([pattern, params])} params={params} />;
  }
  return (
    <>
      <Heading title="No such page" />
      <p>
        Nothing is at this address. The <Link to="/experiments">experiments</Link> are a good place to start from.
      </p>
    </>
  );
}

/** Said only when something is amiss: that all is well needs no words. */
function ConnectionState() {
  const connection = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === 'lost') announce('The connection to the server is lost. What is shown may be out of date.');
    if (connection === 'open' && wasLost.current) announce('The connection to the server is back.');
    wasLost.current = connection === 'lost';
  }, [connection]);
  return (
    <span class={`connection connection-${connection}`} title={CONNECTION_TITLES[connection]}>
      {connection === 'lost' ? 'Connection lost – trying again' : connection === 'open' ? 'Live' : ''}
    </span>
  );
}

const CONNECTION_TITLES = {
  waiting: '',
  open: 'This page follows what happens by itself.',
  lost: 'What is shown is the last that was known.',
};

function Footer() {
  const server = useServer();
  if (server === null) return null;
  return (
    <footer>
      Thaw {server.version} · {server.allows_control ? 'takes orders' : 'read-only'} ·{' '}
      <a href="/api/v1/openapi.json">the same as JSON</a>
    </footer>
  );
}

/** After a move within the page the focus is where the new view begins, as after loading a page. */
function useFocusOnMove(path: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

function focusMain(event: MouseEvent, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}
