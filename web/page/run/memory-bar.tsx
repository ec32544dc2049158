import { countText } from '../parts/number-text.ts';

/** The bar goes somewhat beyond the limit, so that what went beyond it is seen. */
const SCALE = 1.25;
const WIDTH = 100;

interface MemoryProps {
  readonly peakMib: number | null;
  readonly limitMib: number | null;
}

/** The most memory of a process beside its limit, as a bar and in words. */
export function MemoryBar({ peakMib, limitMib }: MemoryProps) {
  if (peakMib === null && limitMib === null) return <>memory –</>;
  return (
    <span class="memory">
      {limitMib !== null && peakMib !== null && <Bar share={peakMib / limitMib} />}
      {memoryText({ peakMib, limitMib })}
    </span>
  );
}

function Bar({ share }: { readonly share: number }) {
  const limitX = WIDTH / SCALE;
  return (
    <svg class={share > 1 ? 'memory-bar memory-over' : 'memory-bar'} viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true">
      <rect class="memory-frame" x="0.5" y="0.5" width={WIDTH - 1} height="9" />
      <rect class="memory-used" x="0.5" y="2" width={Math.min(WIDTH - 1, share * limitX)} height="6" />
      <line class="memory-limit" x1={limitX} x2={limitX} y1="0" y2="10" />
    </svg>
  );
}

/** e.g. `310 of 2 048 MiB`. */
export function memoryText({ peakMib, limitMib }: MemoryProps): string {
  // A process that was never looked at has no peak.
  const peak = peakMib === null || peakMib === 0 ? '–' : countText(Math.ceil(peakMib));
  return limitMib === null ? `${peak} MiB` : `${peak} of ${countText(Math.round(limitMib))} MiB`;
}
