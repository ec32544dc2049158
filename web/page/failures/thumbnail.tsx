import { useEffect, useRef, useState } from 'preact/hooks';
import type { Replay } from '../../contract/simulators.ts';
import { useResource } from '../api/use-resource.ts';
import { momentOf } from './replay-course.ts';
import { Scene } from './scene.tsx';

/** How far below the window a picture is fetched. */
const MARGIN = '200px';

/** The key moment of a failure, small. It is fetched once it comes into view. */
export function Thumbnail({ failure }: { readonly failure: string }) {
  const frame = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(frame);
  const { data, error } = useResource<Replay>(isSeen ? `/failures/${encodeURIComponent(failure)}/replay` : null);
  return (
    <span class="thumbnail" ref={frame}>
      {data !== null && (
        <Scene
          replay={data}
          position={data.failure.key_moment}
          label={momentOf(data) === null ? 'The first step:' : `Step ${data.failure.key_moment}, its key moment:`}
        />
      )}
      {error !== null && <span class="n">No picture: {error.message}</span>}
    </span>
  );
}

function useSeen(element: { readonly current: Element | null }): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsSeen(true),
      {
        rootMargin: MARGIN,
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return isSeen;
}
