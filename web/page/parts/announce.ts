const QUIET_MS = 4_000;
let lastMs = -Infinity;
let waiting: string | null = null;

/** Tells those who listen to the page rather than look at it. Only the newest is told, and not too often. */
export function announce(text: string): void {
  if (waiting !== null) {
    waiting = text;
    return;
  }
  waiting = text;
  setTimeout(
    () => {
      const region = document.getElementById('announcer');
      if (region !== null) region.textContent = waiting;
      waiting = null;
      lastMs = performance.now();
    },
    Math.max(50, lastMs + QUIET_MS - performance.now()),
  );
}
