import { Link } from '../parts/link.tsx';
import { countText } from '../parts/number-text.ts';
import { placeWith } from '../router.ts';

interface PagesProps {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** One of them, as in "run". */
  readonly what: string;
  /** Whether the same stands above the list. */
  readonly isRepeated?: boolean;
}

/** Which part of a long list is shown, and the way to the parts beside it. */
export function Pages({ page, size, total, what, isRepeated = false }: PagesProps) {
  const first = (page - 1) * size + 1;
  const last = Math.min(total, page * size);
  const to = (number: number) => placeWith({ page: number === 1 ? null : String(number) });
  return (
    <nav class="pages" aria-label={isRepeated ? 'Pages, below the list' : 'Pages'}>
      <span>
        {total > size && first <= total && `${countText(first)} to ${countText(last)} of `}
        {countText(total)} {total === 1 ? what : `${what}s`}
      </span>
      {page > 1 && <Link to={to(page - 1)}>Previous</Link>}
      {last < total && <Link to={to(page + 1)}>Next</Link>}
    </nav>
  );
}
