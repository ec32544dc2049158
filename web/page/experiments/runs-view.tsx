import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';

export function RunsView() {
  return <Heading title="Runs" />;
}

export function ExperimentRunsView({ params }: ViewProps) {
  return <Heading title={params['experiment']!} />;
}
