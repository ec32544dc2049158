import type { Matrices, Matrix } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { Section } from '../parts/heading.tsx';
import { HeatMatrix } from '../parts/heat-matrix.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { metricText } from '../parts/number-text.ts';
import type { ViewProps } from '../view.ts';
import { NamedFrame } from './experiment-frame.tsx';

/** How far simulators are from each other, and who plays how well with whom. */
export function MatricesView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Distances and cross-play">
      {(id) => <MatricesPart experiment={id} />}
    </NamedFrame>
  );
}

function MatricesPart({ experiment }: { readonly experiment: string }) {
  const matrices = useResource<Matrices>(`/experiments/${encodeURIComponent(experiment)}/matrices`);
  return (
    <Loaded resource={matrices} what="the matrices">
      {({ distances, cross_play: crossPlay }) => (
        <>
          <Section
            title={
              distances === null
                ? 'Distances between simulators'
                : `Distances between simulators: ${metricText(distances.metric)}`
            }
            about="0: alike as far as this measure sees. A held-out simulator near to a training one tells little."
          >
            {distances === null ? (
              <p class="empty">No distance is known.</p>
            ) : (
              <Shown matrix={distances.matrix} caption="Distances" corner="Simulator" />
            )}
          </Section>
          <Section
            title="Cross-play"
            about="The mean return of the row's policy in the learning seats with the column's policy in the other seats."
          >
            {crossPlay === null ? (
              <p class="empty">
                Not played yet: <code>thaw cross-play {experiment}</code> plays every policy with every other.
              </p>
            ) : (
              <Shown matrix={crossPlay} caption="Cross-play" corner="Learners" />
            )}
          </Section>
        </>
      )}
    </Loaded>
  );
}

interface ShownProps {
  readonly matrix: Decoded<Matrix>;
  readonly caption: string;
  readonly corner: string;
}

const Shown = ({ matrix, caption, corner }: ShownProps) => (
  <HeatMatrix caption={caption} corner={corner} rows={matrix.rows} columns={matrix.columns} values={matrix.values} />
);
