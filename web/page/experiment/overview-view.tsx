import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';

export function OverviewView({ params }: ViewProps) {
  return <Heading title={Object.values(params)[0] ?? 'Experiment'} />;
}
