import type { FailureList } from '../../contract/simulators.ts';
import type { Decoded } from '../api/decoded.ts';
import { pathWith } from '../api/request.ts';
import { useResource } from '../api/use-resource.ts';
import { ExperimentFrame, type ShownExperiment } from '../experiment/experiment-frame.tsx';
import { Pages } from '../experiments/pages.tsx';
import { Choice } from '../parts/choice.tsx';
import { Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { numberText } from '../parts/number-text.ts';
import { TextField } from '../parts/text-field.tsx';
import { go, placeWith, usePlace } from '../router.ts';
import type { ViewProps } from '../view.ts';
import { Thumbnail } from './thumbnail.tsx';

type ShownFailure = Decoded<FailureList>['failures'][number];

const PAGE_SIZE = 24;

/** Mined episodes of an experiment that went badly, with small pictures. */
export function FailuresView({ params }: ViewProps) {
  return (
    <ExperimentFrame experiment={params['experiment']!} part="Failures">
      {(experiment) => <Gallery experiment={experiment} />}
    </ExperimentFrame>
  );
}

const FILTERS = ['variant', 'seed', 'group', 'run'] as const;

function Gallery({ experiment }: { readonly experiment: ShownExperiment }) {
  const { query } = usePlace();
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]));
  const path = pathWith(`/experiments/${encodeURIComponent(experiment.id)}/failures`, {
    ...filters,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  const resource = useResource<FailureList>(path, { experiment: experiment.id, everyMs: 5_000 });
  return (
    <Section title="Failures" about={ABOUT} tools={<Filters experiment={experiment} />}>
      <Loaded resource={resource} what="the failures">
        {({ total, failures }) =>
          failures.length === 0 ? (
            <p class="empty">{emptyText(Object.values(filters).some((each) => each !== null))}</p>
          ) : (
            <>
              <Pages page={page} size={PAGE_SIZE} total={total} what="failure" />
              <ul class="gallery">
                {failures.map((failure) => (
                  <Card key={failure.id} failure={failure} />
                ))}
              </ul>
              {total > PAGE_SIZE && <Pages page={page} size={PAGE_SIZE} total={total} what="failure" isRepeated />}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

const ABOUT =
  'Episodes on validation simulators that went badly, the worst first. Score: 0 as chance, 1 as the best known policy. ' +
  'Pictures show the key moment, the step after which the value that the critic expects falls most, and without a critic the first. Failures of one group look alike then.';

const emptyText = (isFiltered: boolean): string =>
  isFiltered
    ? 'No failure is like this.'
    : 'No failure was mined. Strategies that mine are `failure_driven` and its controls; they need a validation panel.';

/** Every change begins with the first page. */
function Filters({ experiment: { variants, seeds } }: { readonly experiment: ShownExperiment }) {
  const { query } = usePlace();
  const set = (name: string) => (value: string) =>
    go(placeWith({ [name]: value === '' ? null : value, page: null, run: null }), 'replace');
  const options = (values: readonly (string | number)[]) => [
    ['', 'all'] as const,
    ...values.map((each) => [String(each), String(each)] as const),
  ];
  const run = query.get('run');
  return (
    <>
      <Choice
        label="Variant"
        value={query.get('variant') ?? ''}
        options={options(variants.map(({ name }) => name))}
        onChoose={set('variant')}
      />
      <Choice label="Seed" value={query.get('seed') ?? ''} options={options(seeds)} onChoose={set('seed')} />
      <span class="gallery-group">
        <TextField
          label="Group"
          hint="number"
          value={query.get('group') ?? ''}
          onWrite={(text) => set('group')(text.replace(/\D/g, ''))}
        />
      </span>
      {run !== null && (
        <span>
          only run {run} <Link to={placeWith({ run: null, page: null })}>show all</Link>
        </span>
      )}
    </>
  );
}

function Card({ failure }: { readonly failure: ShownFailure }) {
  const { id, variant, seed, round, simulator, score, group } = failure;
  return (
    <li class="card">
      <Link to={`/failures/${encodeURIComponent(id)}`}>
        <Thumbnail failure={id} />
        <span class="card-title">
          {simulator}, round {round}
        </span>
      </Link>
      <p>
        {variant} · seed {seed}
      </p>
      <p>
        return {numberText(failure.return)} · score {numberText(score)}
      </p>
      <p class="n">
        {failure.has_critic ? `step ${failure.key_moment} of ${failure.steps}` : 'no critic'} · group {group}
        {failure.is_medoid && ', stands for it'}
        {failure.made > 0 && ` · ${failure.made} made, ${failure.entered} entered`}
      </p>
    </li>
  );
}
