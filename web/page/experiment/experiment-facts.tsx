import type { ComponentChildren } from 'preact';
import { Section } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { countText, timeText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { ShownExperiment } from './experiment-frame.tsx';

/** The setting: where it came from, its panels, its variants. */
export function ExperimentFacts({ experiment }: { readonly experiment: ShownExperiment }) {
  const { panels, seeds, labels, imports, forked_from: origin } = experiment;
  return (
    <>
      <Section title="Variants">
        <Table
          caption="Variants"
          columns={experiment.variants.some(({ specialist }) => specialist !== null) ? [...COLUMNS, WHY] : COLUMNS}
          rows={experiment.variants}
          rowKey={({ name }) => name}
        />
      </Section>
      {imports.length > 0 && (
        <Section title="Recorded elsewhere">
          <Table caption="Imports" columns={IMPORT_COLUMNS} rows={imports} rowKey={({ name }) => name} />
        </Section>
      )}
      <Section title="Setting">
        <dl class="facts">
          <Fact name="Id">
            <code>{experiment.id}</code>
          </Fact>
          <Fact name="Family">{experiment.family}</Fact>
          <Fact name="Learning seats">{experiment.learners.join(', ')}</Fact>
          <Fact name="Seeds">{seedsText(seeds)}</Fact>
          <Fact name="Trained on">{listText(panels.train)}</Fact>
          <Fact name="Validation">{listText(panels.validation)}</Fact>
          <Fact name="Test (held out)">{listText(panels.test)}</Fact>
          {Object.entries(labels).map(([key, value]) => (
            <Fact key={key} name={key}>
              {value}
            </Fact>
          ))}
          {origin !== null && (
            <Fact name="Forked from">
              <Link to={`/experiments/${encodeURIComponent(origin)}`}>{origin}</Link>
            </Fact>
          )}
          <Fact name="Submitted">
            {timeText(experiment.created_at)} with Thaw {experiment.program_version}
          </Fact>
          <Fact name="Result hash">
            <code>{experiment.result_hash}</code>
          </Fact>
        </dl>
      </Section>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type Variant = ShownExperiment['variants'][number];

const COLUMNS: readonly TableColumn<Variant>[] = [
  { key: 'name', title: 'Variant', cell: ({ name }) => name, isPinned: true, isRowHeader: true },
  { key: 'strategy', title: 'Strategy', cell: ({ strategy }) => strategy },
  { key: 'algorithm', title: 'Algorithm', cell: ({ algorithm }) => algorithm },
  { key: 'env_steps', title: 'Env steps', cell: ({ env_steps }) => countText(env_steps), isNumber: true },
  { key: 'rounds', title: 'Rounds', cell: ({ rounds }) => rounds, isNumber: true },
];

const WHY: TableColumn<Variant> = {
  key: 'why',
  title: 'Why',
  cell: ({ specialist }) => (specialist === null ? '' : `specialist for ${specialist}`),
};

const IMPORT_COLUMNS: readonly TableColumn<ShownExperiment['imports'][number]>[] = [
  { key: 'name', title: 'Import', cell: ({ name }) => name, isPinned: true, isRowHeader: true },
  { key: 'source', title: 'Source', cell: ({ source }) => source },
  { key: 'licence', title: 'Licence', cell: ({ licence }) => licence },
  {
    key: 'personal_data',
    title: 'Personal data',
    cell: ({ personal_data: data }) => (data === 'removed' ? 'removed' : 'none in it'),
    about: 'Whether personal data were in the recording, and removed.',
  },
];

const listText = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

/** Seeds in a row as a range. */
function seedsText(seeds: readonly number[]): string {
  const isRange = seeds.length > 2 && seeds.every((seed, index) => seed === seeds[0]! + index);
  return isRange ? `${seeds[0]} to ${seeds.at(-1)} (${countText(seeds.length)})` : seeds.join(', ');
}
