import { Heading } from '../parts/heading.tsx';
import type { ViewProps } from '../view.ts';

export function ReturnsView({ params }: ViewProps) {
  return <Heading title={Object.values(params)[0] ?? 'Returns'} />;
}
