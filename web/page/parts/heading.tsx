import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from './link.tsx';

export interface Crumb {
  readonly text: string;
  readonly to: string;
}

interface HeadingProps {
  readonly title: string;
  /** What the browser's tab shows, where it should say more than the title. */
  readonly tabTitle?: string;
  /** The way here. */
  readonly crumbs?: readonly Crumb[];
  /** Beside the title, such as a state. */
  readonly children?: ComponentChildren;
}

/** The one h1 of a view, which also names the browser's tab. */
export function Heading({ title, tabTitle = title, crumbs = [], children }: HeadingProps) {
  useEffect(() => {
    document.title = `${tabTitle} · Thaw`;
  }, [tabTitle]);
  return (
    <div class="heading">
      {crumbs.length > 0 && (
        <nav aria-label="Breadcrumb" class="crumbs">
          <ol>
            {crumbs.map(({ text, to }) => (
              <li key={to}>
                <Link to={to}>{text}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="title">
        <h1 id="title" tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  /** What is shown, in a sentence. */
  readonly about?: ComponentChildren;
  /** Right of the title, such as what chooses the metric. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a view under an h2. */
export function Section({ title, about, tools, children }: SectionProps) {
  return (
    <section class="part" aria-label={title}>
      <div class="part-head">
        <h2>{title}</h2>
        {tools !== undefined && <div class="tools">{tools}</div>}
      </div>
      {about !== undefined && <p class="about">{about}</p>}
      {children}
    </section>
  );
}
