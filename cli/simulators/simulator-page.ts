import type { Family, Parameter, SimulatorData, World } from '../../simulators/contract.ts';
import { describeSchema } from '../../specification/describe-schema.ts';
import { jsonSchemaFrom, type JsonSchema } from '../../specification/json-schema.ts';
import { markdownTable as table } from '../table-formats/markdown-table.ts';

const NOTE = 'Generated from the family itself by `npm run generate`; do not edit it by hand.';

/** The page of every family by its path, and their index. */
export function simulatorPages(families: Readonly<Record<string, Family>>): Record<string, string> {
  const pages = Object.values(families).map((family): [string, string] => [pathOf(family), simulatorPage(family)]);
  return { [`${FOLDER}/README.md`]: indexPage(Object.values(families)), ...Object.fromEntries(pages) };
}

const FOLDER = 'docs/simulators';

function pathOf({ name }: Family): string {
  return `${FOLDER}/${name}.md`;
}

function indexPage(families: readonly Family[]): string {
  const rows = families.map((family) => {
    const { groups, episodeStepsMax, catalogue, scriptedPolicies } = openByDefault(family);
    const seats = groups.map(({ role, seats: { length } }) => `${length} ${role}`).join(', ');
    const counts = [episodeStepsMax, scriptedPolicies.length, Object.keys(catalogue).length].map(String);
    return [`[${family.name}](${family.name}.md)`, family.summary, seats, ...counts];
  });
  const columns = ['family', 'what', 'seats', 'steps', 'scripted policies', 'built-in simulators'];
  const more =
    'Numbers are those of default options. [Adding a simulator](../guides/adding-a-simulator.md) says how more come to be.';
  return page('Simulators', NOTE, table(columns, rows), more);
}

/** All that a family says of itself, with its default options, as Markdown. */
function simulatorPage(family: Family): string {
  const world = openByDefault(family);
  const { card } = family;
  return page(
    family.name,
    NOTE,
    family.summary,
    `Version \`${family.version}\`. Source: ${card.source}`,
    'Tables are those of the default options; other options change sizes, indices and numbers of seats.',
    ...section('State', card.state, `**Start.** ${card.start}`),
    ...section('Seats', seatTable(world)),
    ...section('Actions', actionTable(family, world)),
    ...section('Observations', ...world.groups.map((group) => observationTable(group, world.groups.length > 1))),
    ...section('Rewards', card.rewards, `**Returns to compare with.** ${card.returns}`),
    ...section('Ends', card.ends),
    ...section('Options', 'Keys of `family_options`.', optionTable(family)),
    ...section('Parameters', PARAMETER_NOTE, parameterTable(world)),
    ...section('Scripted policies', policyTable(family, world)),
    ...section('State features', 'What histograms of visited states are made of, for every seat.', featureTable(world)),
    ...section(
      'Built-in simulators',
      `\`thaw simulators NAME --family ${family.name}\` prints one whole.`,
      catalogueTable(world),
    ),
    ...section(
      'Pictures',
      `\`thaw rollout --family ${family.name} --simulator base --random --render FILE.svg\`. ${card.picture}`,
    ),
  );
}

function openByDefault(family: Family): World {
  return family.open(family.optionsSchema.parse({}));
}

const PARAMETER_NOTE =
  'Paths are those of specs and of randomization ranges; `*` stands for every seat or index. Defaults of `partners` are ' +
  'those of a scripted partner. What has no default is a part of something that must be given.';

function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function section(title: string, ...parts: readonly string[]): string[] {
  return [`## ${title}`, ...parts];
}

function code(text: string): string {
  return `\`${text}\``;
}

function seatTable({ groups, cooperative }: World): string {
  const rows = groups.map(({ role, seats, observationSize, actions, masked }) => [
    role,
    seats.join(', '),
    String(observationSize),
    actions.kind === 'discrete'
      ? `${actions.count}, discrete${masked ? ', some illegal' : ''}`
      : `${actions.low.length}, continuous`,
  ]);
  const returns = cooperative ? 'the sum over all seats' : 'the mean over the learners present';
  return `${table(['role', 'seats', 'observation', 'actions'], rows)}\n\nThe return of an episode is ${returns}.`;
}

function actionTable({ card }: Family, { groups }: World): string {
  const rows = card.actions.map((action, index) => [String(index), action]);
  const mask = groups.some(({ masked }) => masked) ? '\n\nAn illegal action acts as action 0.' : '';
  return table(['action', 'what'], rows) + mask;
}

function observationTable({ role, observation }: World['groups'][number], hasOthers: boolean): string {
  const rows = observation.map(({ name, offset, length, unit }) => [indices(offset, length), name, unit]);
  return (hasOthers ? `Of the role ${role}:\n\n` : '') + table(['index', 'what', 'unit'], rows);
}

function indices(offset: number, length: number): string {
  return length === 1 ? String(offset) : `${offset} … ${offset + length - 1}`;
}

function optionTable({ optionsSchema }: Family): string {
  const properties = Object.entries((jsonSchemaFrom(optionsSchema)['properties'] ?? {}) as Record<string, JsonSchema>);
  const rows = properties.map(([name, schema]) => [
    code(name),
    describeSchema(schema),
    JSON.stringify(schema['default']),
    schema['description'] as string,
  ]);
  return table(['option', 'value', 'default', 'what'], rows);
}

/** Parameters that differ in a seat or an index alone stand in one row. */
function parameterTable(world: World): string {
  const valueOf = defaultsOf(world);
  const rows = new Map<string, { paths: string[]; cells: readonly string[] }>();
  for (const parameter of world.parameters) {
    const { path, kind, unit, summary } = parameter;
    const cells = [kind, valueOf(path), rangeOf(parameter), unit, summary];
    const key = [starred(path), ...cells].join('\n');
    const row = rows.get(key) ?? { paths: [], cells };
    row.paths.push(path);
    rows.set(key, row);
  }
  const all = world.parameters.map(({ path }) => path);
  const lines = [...rows.values()].map(({ paths, cells }) => [code(commonPath(paths, all)), ...cells]);
  return table(['path', 'kind', 'default', 'range', 'unit', 'what'], lines);
}

function starred(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, '.*');
}

/** One path for several: `*` where they have every index that paths of this form have, otherwise their indices. */
function commonPath(paths: readonly string[], all: readonly string[]): string {
  const form = starred(paths[0]!);
  const alike = all.filter((path) => starred(path) === form);
  const indicesAt = (some: readonly string[], place: number) => [
    ...new Set(some.map((path) => path.split('.')[place]!)),
  ];
  return form
    .split('.')
    .map((part, place) => {
      if (part !== '*') return part;
      const here = indicesAt(paths, place);
      if (here.length === 1) return here[0]!;
      return here.length === indicesAt(alike, place).length ? part : `{${here.join(',')}}`;
    })
    .join('.');
}

/** Defaults by path, as JSON: of the default simulator, else of the first scripted partner that has such a number. */
function defaultsOf(world: World): (path: string) => string {
  const partnered = world.scriptedPolicies.flatMap((name) =>
    world.groups.flatMap(({ seats }) =>
      seats.flatMap((seat) => {
        const parsed = world.simulatorSchema.safeParse({ partners: { [seat]: { kind: 'scripted', name } } });
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );
  const simulators = [world.simulatorSchema.parse({}), ...partnered];
  return (path) => {
    if (path.endsWith('.name')) return JSON.stringify('external');
    const values = simulators.map((simulator) => valueAt(simulator, path));
    return JSON.stringify(values.find((value) => value !== undefined)) ?? '';
  };
}

function valueAt(simulator: SimulatorData, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], simulator);
}

function rangeOf({ low, high, choices }: Parameter): string {
  return choices === undefined ? `${low} … ${high}` : choices.join(', ');
}

/** Who plays each policy is told where roles have different ones. */
function policyTable({ card }: Family, world: World): string {
  const rolesOf = (policy: string) =>
    world.groups.filter(({ seats }) => policiesAt(world, seats[0]!).includes(policy)).map(({ role }) => role);
  const references = world.groups.map(({ scriptedReference }) => code(scriptedReference ?? world.scriptedReference));
  const reference = `References that others are compared with: ${[...new Set(references)].join(', ')}.`;
  const rows = world.scriptedPolicies.map((name) => [code(name), rolesOf(name).join(', '), card.policies[name]!]);
  return `${table(['name', 'roles', 'what it does'], rows)}\n\n${reference}`;
}

function policiesAt({ parameters }: World, seat: number): readonly string[] {
  return parameters.find(({ path }) => path === `partners.${seat}.name`)?.choices ?? [];
}

function featureTable({ features }: World): string {
  return table(
    ['feature', 'range', 'bins'],
    features.map(({ name, low, high, bins }) => [code(name), `${low} … ${high}`, String(bins)]),
  );
}

function catalogueTable({ catalogue }: World): string {
  const rows = Object.entries(catalogue).map(([name, { summary }]) => [code(name), summary]);
  return table(['name', 'what'], rows);
}
