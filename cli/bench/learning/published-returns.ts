/** A return that others have published of a task like ours, with what is not alike. */
interface PublishedReturn extends Readonly<Record<string, unknown>> {
  readonly algorithm: string;
  readonly task: string;
  readonly return: number;
  readonly source: string;
}

/** By task of `experiments/learning/`. */
export const PUBLISHED_RETURNS: Readonly<Record<string, readonly PublishedReturn[]>> = {};
