import { NamedFrame } from '../experiment/experiment-frame.tsx';
import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';
import { RunList } from './run-list.tsx';

/** The runs of all experiments. */
export function RunsView() {
  return (
    <>
      <Heading title="Runs" />
      <RunList experiment={null} />
    </>
  );
}

/** The runs of one. */
export function ExperimentRunsView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Runs">
      {(id) => <RunList experiment={id} />}
    </NamedFrame>
  );
}
