import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

// As https://mlflow.org/docs/latest/rest-api.html describes the calls: which fields there are, which of them must be there, what
// each may be, and which codes of errors there are. Limits: Log Batch there. That the real server takes the same is shown by
// `test/peers/mlflow-mirror.py`.

const REQUEST_BYTES_MAX = 1_000_000;
const MANY = 1000;

const key = z.string().regex(/^[\w./ -]{1,250}$/);
const tags = z.array(z.strictObject({ key, value: z.string().max(5000) })).max(100);
const metric = z.strictObject({
  key,
  value: z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]),
  timestamp: z.int().positive(),
  step: z.int().nonnegative(),
});
const BODIES = {
  'experiments/create': z.strictObject({ name: z.string().min(1), tags: tags.optional() }),
  'runs/search': z.strictObject({
    experiment_ids: z.array(z.string()).min(1),
    filter: z.string(),
    max_results: z.int().positive().max(50_000),
  }),
  'runs/create': z.strictObject({
    experiment_id: z.string(),
    run_name: z.string(),
    start_time: z.int().positive(),
    tags,
  }),
  'runs/log-batch': z.strictObject({
    run_id: z.string(),
    metrics: z.array(metric).max(MANY).optional(),
    params: z
      .array(z.strictObject({ key, value: z.string().max(6000) }))
      .max(100)
      .optional(),
    tags: tags.optional(),
  }),
  'runs/update': z.strictObject({
    run_id: z.string(),
    status: z.enum(['RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED']),
    end_time: z.int().positive().optional(),
  }),
};

type Metric = z.output<typeof metric>;

/** A run as the stand-in has it. */
export interface StoredRun {
  readonly id: string;
  readonly experiment: string;
  readonly name: string;
  /** Appended as they come, never merged: what is told twice is there twice. */
  readonly metrics: Metric[];
  readonly params: Map<string, string>;
  readonly tags: Map<string, string>;
  status: string;
  endedAt: number | null;
}

/** What becomes of a request before the stand-in looks at it, or after; null to let it be. */
type Disturbance = (path: string, response: ServerResponse) => 'before' | 'after' | null;

/** A tracking server that holds to what MLflow documents, and refuses anything else with 400. */
export class MlflowStandIn {
  readonly experiments = new Map<string, string>();
  readonly runs: StoredRun[] = [];
  /** Every request that was answered, e.g. `runs/create`. */
  readonly requests: string[] = [];
  readonly authorizations = new Set<string | undefined>();
  /** What was refused, with the reason. */
  readonly refusals: string[] = [];
  /** Takes over a response: with `before` nothing is stored, with `after` it is stored and the answer is the disturbance's. */
  disturb: Disturbance = () => null;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The run of a name such as `pool/0`. */
  run(name: string): StoredRun {
    const found = this.runs.filter((each) => each.name === name);
    if (found.length !== 1) throw new Error(`${found.length} runs are called ${name}`);
    return found[0]!;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://stand-in');
    const path = url.pathname.replace('/api/2.0/mlflow/', '');
    this.authorizations.add(request.headers.authorization);
    const body = await text(request);
    const disturbed = this.disturb(path, response);
    if (disturbed === 'before') return;
    this.requests.push(path);
    const { status, answer } = this.answer(path, { url, request, body });
    if (disturbed === 'after') return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private answer(path: string, asked: { url: URL; request: IncomingMessage; body: string }) {
    try {
      return { status: 200, answer: this.take(path, asked) };
    } catch (error) {
      const [code, message] = (error as Error).message.split(': ', 2);
      if (code !== 'RESOURCE_DOES_NOT_EXIST') this.refusals.push(`${path}: ${(error as Error).message}`);
      const status = code === 'RESOURCE_DOES_NOT_EXIST' ? 404 : 400;
      return { status, answer: { error_code: code, message } };
    }
  }

  private take(path: string, { url, request, body }: { url: URL; request: IncomingMessage; body: string }): unknown {
    if (path === 'experiments/get-by-name' && request.method === 'GET') {
      const name = url.searchParams.get('experiment_name')!;
      const id = this.experiments.get(name);
      if (id === undefined) throw new Error(`RESOURCE_DOES_NOT_EXIST: no experiment ${name}`);
      return { experiment: { experiment_id: id, name, lifecycle_stage: 'active' } };
    }
    const schema = BODIES[path as keyof typeof BODIES] as z.ZodType | undefined;
    if (schema === undefined || request.method !== 'POST') throw new Error(`ENDPOINT_NOT_FOUND: ${path}`);
    if (request.headers['content-type'] !== 'application/json')
      throw new Error('INVALID_PARAMETER_VALUE: content type');
    if (body.length > REQUEST_BYTES_MAX) throw new Error('INVALID_PARAMETER_VALUE: larger than 1 MB');
    const value = schema.safeParse(JSON.parse(body));
    if (!value.success) throw new Error(`INVALID_PARAMETER_VALUE: ${value.error.message}`);
    return this.carryOut(path, value.data as never);
  }

  private carryOut(path: string, value: never): unknown {
    switch (path as keyof typeof BODIES) {
      case 'experiments/create':
        return this.createExperiment(value);
      case 'runs/search':
        return this.search(value);
      case 'runs/create':
        return this.createRun(value);
      case 'runs/log-batch':
        return this.logBatch(value);
      case 'runs/update':
        return this.update(value);
    }
  }

  private createExperiment({ name }: { name: string }) {
    if (this.experiments.has(name)) throw new Error(`RESOURCE_ALREADY_EXISTS: ${name}`);
    this.experiments.set(name, String(this.experiments.size + 1));
    return { experiment_id: this.experiments.get(name) };
  }

  private search({ experiment_ids: ids, filter }: { experiment_ids: string[]; filter: string }) {
    const wanted = filter.split(' and ').map((part) => /^tags\.`([^`]+)` = '([^']*)'$/.exec(part));
    if (wanted.includes(null)) throw new Error(`INVALID_PARAMETER_VALUE: ${filter}`);
    const found = this.runs.filter(
      (run) => ids.includes(run.experiment) && wanted.every((part) => run.tags.get(part![1]!) === part![2]),
    );
    return found.length === 0 ? {} : { runs: found.map(documentOf) };
  }

  private createRun(value: z.output<(typeof BODIES)['runs/create']>) {
    const run: StoredRun = {
      id: `run${this.runs.length}`,
      experiment: value.experiment_id,
      name: value.run_name,
      metrics: [],
      params: new Map(),
      tags: new Map(value.tags.map((tag) => [tag.key, tag.value])),
      status: 'RUNNING',
      endedAt: null,
    };
    this.runs.push(run);
    return { run: documentOf(run) };
  }

  private logBatch(value: z.output<(typeof BODIES)['runs/log-batch']>) {
    const { metrics = [], params = [], tags: newTags = [] } = value;
    if (metrics.length + params.length + newTags.length > MANY) throw new Error('INVALID_PARAMETER_VALUE: too many');
    const run = this.find(value.run_id);
    for (const param of params) {
      const known = run.params.get(param.key);
      if (known !== undefined && known !== param.value)
        throw new Error(`INVALID_PARAMETER_VALUE: ${param.key} changed`);
      run.params.set(param.key, param.value);
    }
    run.metrics.push(...metrics);
    for (const tag of newTags) run.tags.set(tag.key, tag.value);
    return {};
  }

  private update({ run_id: id, status, end_time: endedAt }: z.output<(typeof BODIES)['runs/update']>) {
    Object.assign(this.find(id), { status, endedAt: endedAt ?? null });
    return {};
  }

  private find(id: string): StoredRun {
    const run = this.runs.find((each) => each.id === id);
    if (run === undefined) throw new Error(`RESOURCE_DOES_NOT_EXIST: run ${id}`);
    return run;
  }
}

function documentOf(run: StoredRun) {
  const pairs = [...run.tags].map(([tag, value]) => ({ key: tag, value }));
  return {
    info: { run_id: run.id, experiment_id: run.experiment, status: run.status, lifecycle_stage: 'active' },
    data: { tags: pairs },
  };
}
