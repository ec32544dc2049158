import { isRecord, type Path } from './path.ts';

export interface EnvironmentMoved {
  readonly document: Record<string, unknown>;
  /** Where what stands at a place of the moved document comes from. */
  originOf(path: Path): Path;
}

/**
 * `environment` of a spec names the world of a family that has many, as the options of the family say how it is opened;
 * so it is read as one of them.
 */
export function environmentAsOption(document: Record<string, unknown>): EnvironmentMoved {
  if (!('environment' in document)) return { document, originOf: (path) => path };
  const { environment, ...rest } = document;
  const options = isRecord(rest.family_options) ? rest.family_options : {};
  return {
    document: { ...rest, family_options: { ...options, environment } },
    originOf: (path) => (path[0] === 'family_options' && path[1] === 'environment' ? path.slice(1) : path),
  };
}
