import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';

export function ExperimentsView({ params }: ViewProps) {
  return <Heading title={Object.values(params)[0] ?? 'Experiments'} />;
}
