import type { Replay } from '../../contract/simulators.ts';
import { useResource } from '../api/use-resource.ts';
import { AsTable } from '../parts/as-table.tsx';
import { Heading, Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { countText, numberText } from '../parts/number-text.ts';
import type { ViewProps } from '../view.ts';
import { FrameTable } from './frame-table.tsx';
import { momentText } from './moment-text.ts';
import { ReplayPlayer } from './replay-player.tsx';
import type { ShownReplay } from './replay-course.ts';

/** A mined episode that went badly, as it happened. What is stored of it never changes, so it is asked for once. */
export function ReplayView({ params }: ViewProps) {
  const id = params['failure']!;
  const resource = useResource<Replay>(`/failures/${encodeURIComponent(id)}/replay`);
  const name = id.slice(id.lastIndexOf(':') + 1);
  const run = id.slice(0, id.lastIndexOf(':'));
  return (
    <>
      <Heading
        title={resource.data === null ? `Failure ${name}` : `Failure ${name} in ${resource.data.failure.simulator}`}
        tabTitle={`Failure ${name} · ${run}`}
        crumbs={crumbsOf(run)}
      />
      <Loaded resource={resource} what="the episode">
        {(replay) => <Episode replay={replay} />}
      </Loaded>
    </>
  );
}

/** A run is named EXPERIMENT/VARIANT/SEED. */
function crumbsOf(run: string) {
  const experiment = `/experiments/${encodeURIComponent(run.split('/')[0]!)}`;
  return [
    { text: 'Experiments', to: '/experiments' },
    { text: run.split('/')[0]!, to: experiment },
    { text: 'Failures', to: `${experiment}/failures` },
    { text: run.split('/').slice(1).join(', seed '), to: `/runs/${encodeURIComponent(run)}` },
  ];
}

function Episode({ replay }: { readonly replay: ShownReplay }) {
  return (
    <>
      <Facts replay={replay} />
      <ReplayPlayer replay={replay} />
      <Section title="The key moment in words">
        <ul class="moment-words">
          {momentText(replay).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <AsTable>{() => <FrameTable replay={replay} />}</AsTable>
      </Section>
    </>
  );
}

function Facts({ replay: { failure, family } }: { readonly replay: ShownReplay }) {
  const { score, chance_return: chance, known_return: known, known_by: by } = failure;
  const run = `/runs/${encodeURIComponent(failure.run_id)}`;
  return (
    <dl class="facts">
      <dt>Where</dt>
      <dd>
        <Link to={run}>
          {failure.variant}, seed {failure.seed}
        </Link>
        , after {countText(failure.round)} rounds, in the validation simulator {failure.simulator} ({family})
      </dd>
      <dt>Return</dt>
      <dd>
        {numberText(failure.return)}, where chance gets {numberText(chance)} and the best known policy ({by}){' '}
        {numberText(known)}; score {numberText(score)}: 0 as chance, 1 as the best known
      </dd>
      <dt>Group</dt>
      <dd>
        {failure.group}
        {failure.is_medoid ? ', for which it stands' : ''}
      </dd>
      <dt>Made of it</dt>
      <dd>
        {failure.made === 0 ? (
          'nothing'
        ) : (
          <Link to={`${run}/lineage`}>
            {countText(failure.made)} simulators, of which {countText(failure.entered)} entered a pool
          </Link>
        )}
      </dd>
      <dt>As a file</dt>
      <dd>
        <code>thaw rollout --failure {failure.id} --render failure.svg</code>
      </dd>
    </dl>
  );
}
