import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';

export function MatricesView({ params }: ViewProps) {
  return <Heading title={Object.values(params)[0] ?? 'Matrices'} />;
}
