import { Section } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';
import { ExperimentFrame } from './experiment-frame.tsx';

/** The resolved document: every default written out. */
export function SpecView({ params }: ViewProps) {
  return (
    <ExperimentFrame experiment={params['experiment']!} part="Spec">
      {({ resolved }) => {
        const { variants, ...rest } = resolved;
        return (
          <Section
            title="The resolved spec"
            about="What was submitted, with every default written out. The variants are whole: each as it runs."
          >
            <Json title="Experiment" value={rest} isOpen />
            {Object.entries((variants ?? {}) as Record<string, unknown>).map(([name, value]) => (
              <Json key={name} title={`Variant ${name}`} value={value} />
            ))}
          </Section>
        );
      }}
    </ExperimentFrame>
  );
}

function Json({
  title,
  value,
  isOpen = false,
}: {
  readonly title: string;
  readonly value: unknown;
  readonly isOpen?: boolean;
}) {
  return (
    <details class="json" open={isOpen}>
      <summary>{title}</summary>
      <pre tabIndex={0} aria-label={`${title} as JSON`}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
