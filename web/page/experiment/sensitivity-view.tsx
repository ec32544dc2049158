import type { Sensitivity } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { seriesColor } from '../charts/line.ts';
import { Section } from '../parts/heading.tsx';
import { HeatMatrix } from '../parts/heat-matrix.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { shareText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { ViewProps } from '../view.ts';
import { NamedFrame } from './experiment-frame.tsx';

type Row = Decoded<Sensitivity>['rows'][number];

/** What policies lose where a rule is scaled, or another scripted partner is there. */
export function SensitivityView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Perturbations">
      {(id) => <SensitivityPart experiment={id} />}
    </NamedFrame>
  );
}

function SensitivityPart({ experiment }: { readonly experiment: string }) {
  const path = `/experiments/${encodeURIComponent(experiment)}/sensitivity`;
  const sensitivity = useResource<Sensitivity>(path, { experiment, everyMs: 10_000 });
  return (
    <Loaded resource={sensitivity} what="the perturbations">
      {({ rows }) => {
        if (rows.length === 0)
          return <p class="empty">Nothing was measured yet: rules are scaled and partners tried when a run ends.</p>;
        return (
          <>
            <Rules rows={rows.filter(({ factor }) => factor !== null)} />
            <Partners rows={rows.filter(({ factor }) => factor === null)} />
          </>
        );
      }}
    </Loaded>
  );
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** A chart for each rule: the return over the factor by which it is scaled. */
function Rules({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const variants = distinct(rows.map(({ variant }) => variant));
  const lineOf = (rule: string, variant: string, index: number) => ({
    label: variant,
    color: seriesColor(index),
    points: rows
      .filter((row) => row.name === rule && row.variant === variant)
      .map(({ factor, return_mean, n }) => ({ x: factor!, y: return_mean, n }))
      .sort((a, b) => a.x - b.x),
  });
  return (
    <Section
      title="Rules scaled"
      about="The return on the train panel when a rule's parameter is multiplied by a factor. A cliff: a change of 5 % that costs more than a tenth of what was learnt."
    >
      <div class="charts">
        {distinct(rows.map(({ name }) => name)).map((rule) => (
          <LineChart
            key={rule}
            title={rule}
            lines={variants.map((variant, index) => lineOf(rule, variant, index))}
            xLabel="factor"
            yLabel="mean return"
            heightPx={210}
          />
        ))}
      </div>
      <Cliffs rows={rows} />
    </Section>
  );
}

const COLUMNS: readonly TableColumn<Row>[] = [
  { key: 'variant', title: 'Variant', isPinned: true, isRowHeader: true, cell: ({ variant }) => variant },
  { key: 'name', title: 'Rule', cell: ({ name }) => name },
  { key: 'factor', title: 'Factor', isNumber: true, cell: ({ factor }) => factor },
  { key: 'loss', title: 'Share of the gain lost', isNumber: true, cell: ({ loss }) => shareText(loss) },
  { key: 'cliffs', title: 'Runs with a cliff', isNumber: true, cell: ({ cliffs, n }) => `${cliffs} of ${n}` },
];

function Cliffs({ rows }: { readonly rows: readonly Row[] }) {
  const cliffs = rows.filter((row) => row.cliffs > 0);
  if (cliffs.length === 0) return <p>No cliff was found.</p>;
  return (
    <>
      <h3>Cliffs</h3>
      <Table
        caption="Cliffs"
        columns={COLUMNS}
        rows={cliffs}
        rowKey={({ variant, name, factor }) => JSON.stringify([variant, name, factor])}
      />
    </>
  );
}

/** The same question for partners: each scripted one in turn. */
function Partners({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const partners = distinct(rows.map(({ name }) => name));
  const variants = distinct(rows.map(({ variant }) => variant));
  const find = (partner: string, variant: string) =>
    rows.find((row) => row.name === partner && row.variant === variant);
  return (
    <Section
      title="Every scripted partner in turn"
      about="The mean return with each, and the share of the gain over chance that is lost."
    >
      <HeatMatrix
        caption="Mean return by partner and variant"
        corner="Partner"
        rows={partners}
        columns={variants}
        values={partners.map((partner) => variants.map((variant) => find(partner, variant)?.return_mean ?? null))}
        note={(row, column) => {
          const { loss, n } = find(partners[row]!, variants[column]!)!;
          return (
            <small>
              {shareText(loss)} lost, n = {n}
            </small>
          );
        }}
      />
    </Section>
  );
}
