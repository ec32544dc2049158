import type { Extent } from './heat.ts';
import { numberText } from './number-text.ts';

/** The colours of a scale with the values at its ends. */
export function HeatLegend({ extent }: { readonly extent: Extent | null }) {
  if (extent === null) return null;
  return (
    <p class="heat-legend">
      {numberText(extent.low)} <span class="heat-bar" aria-hidden="true" /> {numberText(extent.high)}
    </p>
  );
}
