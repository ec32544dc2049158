import { isRecord } from '../../specification/path.ts';

/** `import:NAME/*`: every start of an import. */
const ALL = /^(import:[^/]*)\/\*$/;

type Setting = Readonly<Record<string, unknown>>;

/**
 * A simulator whose start is `import:NAME/*` becomes one for every start of the import, `SIMULATOR-1`, `SIMULATOR-2`, …, and
 * so it does in the panels that name it.
 *
 * @param startsOf names of the starts of an import, by `import:NAME`; null where they are not known
 */
export async function expandStarts(
  document: unknown,
  startsOf: (reference: string) => Promise<readonly string[] | null>,
): Promise<unknown> {
  if (!isRecord(document)) return document;
  const copies = new Map<string, readonly string[]>();
  const expand = async (setting: Setting): Promise<Setting> => {
    if (!isRecord(setting['simulators'])) return setting;
    const entries = await Promise.all(
      Object.entries(setting['simulators']).map(async ([name, simulator]) => {
        const made = await simulatorsFrom(name, simulator, startsOf);
        if (made === null) return [[name, simulator] as const];
        copies.set(
          name,
          made.map(([copy]) => copy),
        );
        return made;
      }),
    );
    return { ...setting, simulators: Object.fromEntries(entries.flat()) };
  };
  const root = await expand(document);
  const variants: [string, unknown][] = [];
  for (const [name, variant] of Object.entries(isRecord(root['variants']) ? root['variants'] : {})) {
    variants.push([name, isRecord(variant) ? await expand(variant) : variant]);
  }
  if (copies.size === 0) return document;
  const named = variants.map(([name, variant]) => [name, isRecord(variant) ? withPanels(variant, copies) : variant]);
  return {
    ...withPanels(root, copies),
    ...(variants.length > 0 && { variants: Object.fromEntries(named) as Setting }),
  };
}

/** One simulator for each start; null where a simulator does not ask for all, or they are not known. */
async function simulatorsFrom(
  name: string,
  simulator: unknown,
  startsOf: (reference: string) => Promise<readonly string[] | null>,
): Promise<(readonly [name: string, simulator: Setting])[] | null> {
  if (!isRecord(simulator) || !isRecord(simulator['scenarios'])) return null;
  const { scenarios } = simulator;
  const reference = typeof scenarios['start'] === 'string' ? ALL.exec(scenarios['start'])?.[1] : undefined;
  const starts = reference === undefined ? null : await startsOf(reference);
  if (starts === null || starts.length === 0) return null;
  return starts.map((start, index) => [
    `${name}-${index + 1}`,
    { ...simulator, scenarios: { ...scenarios, start: `${reference}/${start}` } },
  ]);
}

function withPanels(setting: Setting, copies: ReadonlyMap<string, readonly string[]>): Setting {
  if (!isRecord(setting['panels'])) return setting;
  const inPlaceOf = (name: unknown): readonly unknown[] => copies.get(name as string) ?? [name];
  const panels = Object.entries(setting['panels']).map(([panel, names]) => {
    return [panel, Array.isArray(names) ? (names as readonly unknown[]).flatMap(inPlaceOf) : names];
  });
  return { ...setting, panels: Object.fromEntries(panels) as Setting };
}
