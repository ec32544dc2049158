import type { Diagnoses } from '../../contract/results.ts';
import type { Decoded } from '../api/decoded.ts';
import { useResource } from '../api/use-resource.ts';
import { Section } from '../parts/heading.tsx';
import { Loaded } from '../parts/loaded.tsx';
import type { ViewProps } from '../view.ts';
import { NamedFrame } from './experiment-frame.tsx';

type Variant = Decoded<Diagnoses>['variants'][number];
type Diagnosis = Variant['diagnoses'][number];

/** Which of the known problems the runs show, with the evidence and what to do. */
export function DiagnosisView({ params }: ViewProps) {
  return (
    <NamedFrame experiment={params['experiment']!} part="Diagnosis">
      {(id) => <DiagnosisPart experiment={id} />}
    </NamedFrame>
  );
}

function DiagnosisPart({ experiment }: { readonly experiment: string }) {
  const path = `/experiments/${encodeURIComponent(experiment)}/diagnosis`;
  const diagnosis = useResource<Diagnoses>(path, { experiment, everyMs: 15_000 });
  return (
    <Loaded resource={diagnosis} what="the diagnosis">
      {({ variants }) => (
        <>
          {variants.map((variant) => (
            <VariantDiagnosis key={variant.name} variant={variant} />
          ))}
        </>
      )}
    </Loaded>
  );
}

function VariantDiagnosis({ variant }: { readonly variant: Variant }) {
  const { name, strategy, runs, summary, diagnoses } = variant;
  const found = diagnoses.filter((diagnosis) => diagnosis.found === 'yes');
  const others = diagnoses.filter((diagnosis) => diagnosis.found !== 'yes');
  return (
    <Section title={`${name} (${strategy}, ${runs} ${runs === 1 ? 'run' : 'runs'})`} about={summary}>
      {found.length === 0 && <p>None of the known problems was found.</p>}
      {found.map((diagnosis) => (
        <Problem key={diagnosis.id} diagnosis={diagnosis} />
      ))}
      {others.length > 0 && (
        <details>
          <summary>Looked for and not found, or not to be told ({others.length})</summary>
          {others.map((diagnosis) => (
            <Problem key={diagnosis.id} diagnosis={diagnosis} />
          ))}
        </details>
      )}
    </Section>
  );
}

const FOUND = { yes: ['!', 'found'], no: ['✓', 'not found'], unknown: ['?', 'cannot be told'] } as const;

function Problem({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { id, found, headline, evidence, remedy } = diagnosis;
  const [mark, text] = FOUND[found];
  return (
    <article class={`problem problem-${found}`}>
      <h3>
        <span aria-hidden="true">{mark}</span> {id.replaceAll('_', ' ')}: {text}
      </h3>
      <p>{headline}</p>
      {evidence.length > 0 && (
        <ul>
          {evidence.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {found === 'yes' && (
        <p>
          <strong>Remedy:</strong> {remedy}
        </p>
      )}
    </article>
  );
}
