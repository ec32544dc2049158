import protobuf from 'protobufjs/minimal.js';

// What the log of an offline run of Weights & Biases holds: Record messages, of which only those are written that a run needs, and of
// these only the fields that say something. @source wandb/proto/wandb_internal.proto of the client's sources (MIT), version 0.31.0

/** An offline run. */
export interface WandbRun {
  readonly id: string;
  readonly project: string;
  /** Runs of one group are averaged. */
  readonly group: string;
  readonly name: string;
  readonly notes: string;
  readonly tags: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly startedAt: Date;
}

/** Who wrote the log, and that a client of any version since offline runs are may read it. */
export function headRecord(producer: string, runId: string): Uint8Array {
  return recordFrom(21, runId, (head) => {
    head.uint32(tag(1, BYTES)).fork();
    head.uint32(tag(1, BYTES)).string(producer);
    head.uint32(tag(2, BYTES)).string('0.70.0');
    head.ldelim();
  });
}

/** RunRecord: run_id 1, project 3, config 4, run_group 6, display_name 8, notes 9, tags 10, start_time 17. */
export function runRecord({ id, project, group, name, notes, tags, config, startedAt }: WandbRun): Uint8Array {
  return recordFrom(17, id, (run) => {
    run.uint32(tag(1, BYTES)).string(id);
    run.uint32(tag(3, BYTES)).string(project);
    run.uint32(tag(4, BYTES)).fork();
    for (const [key, value] of Object.entries(config)) itemInto(run, [1, 1], key, value);
    run.ldelim();
    run.uint32(tag(6, BYTES)).string(group);
    run.uint32(tag(8, BYTES)).string(name);
    run.uint32(tag(9, BYTES)).string(notes);
    for (const each of tags) run.uint32(tag(10, BYTES)).string(each);
    run.uint32(tag(17, BYTES)).fork();
    run.uint32(tag(1, VARINT)).int64(Math.floor(startedAt.getTime() / 1000));
    run.uint32(tag(2, VARINT)).int32((startedAt.getTime() % 1000) * 1_000_000);
    run.ldelim();
  });
}

/** Says which number curves are drawn over. MetricRecord: name 1, glob_name 2, step_metric 4, options 6 (step_sync 1, defined 3). */
export function axisRecords(name: string, runId: string): Uint8Array[] {
  return [
    recordFrom(12, runId, (metric) => {
      metric.uint32(tag(1, BYTES)).string(name);
      metric.uint32(tag(6, BYTES)).fork().uint32(tag(3, VARINT)).bool(true).ldelim();
    }),
    recordFrom(12, runId, (metric) => {
      metric.uint32(tag(2, BYTES)).string('*');
      metric.uint32(tag(4, BYTES)).string(name);
      metric.uint32(tag(6, BYTES)).fork().uint32(tag(1, VARINT)).bool(true);
      metric.uint32(tag(3, VARINT)).bool(true).ldelim();
    }),
  ];
}

/** The numbers of one step. HistoryRecord: item 1 (nested_key 2), step 2 (num 1). */
export function historyRecord(step: number, numbers: Readonly<Record<string, number>>, runId: string): Uint8Array {
  return recordFrom(2, runId, (history) => {
    for (const [key, value] of Object.entries(numbers)) itemInto(history, [1, 2], key, value);
    history.uint32(tag(2, BYTES)).fork().uint32(tag(1, VARINT)).int64(step).ldelim();
  });
}

/** What a run is listed with. SummaryRecord: update 1 (nested_key 2). */
export function summaryRecord(numbers: Readonly<Record<string, unknown>>, runId: string): Uint8Array {
  return recordFrom(3, runId, (summary) => {
    for (const [key, value] of Object.entries(numbers)) itemInto(summary, [1, 2], key, value);
  });
}

/** RunExitRecord: exit_code 1, runtime 2. */
export function exitRecord(exitCode: number, runtimeS: number, runId: string): Uint8Array {
  return recordFrom(18, runId, (exit) => {
    exit.uint32(tag(1, VARINT)).int32(exitCode);
    exit.uint32(tag(2, VARINT)).int32(Math.round(runtimeS));
  });
}

const VARINT = 0;
const BYTES = 2;

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

/** A Record: its one content, and `_info` 200 with the run that it is of. */
function recordFrom(field: number, runId: string, write: (content: protobuf.Writer) => void): Uint8Array {
  const record = protobuf.Writer.create();
  record.uint32(tag(field, BYTES)).fork();
  write(record);
  record.ldelim();
  record.uint32(tag(200, BYTES)).fork().uint32(tag(1, BYTES)).string(runId).ldelim();
  return record.finish();
}

/** A key with its value as JSON (16), in which numbers that are none are words, as in Python. */
function itemInto(record: protobuf.Writer, [field, keyField]: [number, number], key: string, value: unknown): void {
  const isOdd = typeof value === 'number' && !Number.isFinite(value);
  record.uint32(tag(field, BYTES)).fork();
  record.uint32(tag(keyField, BYTES)).string(key);
  record.uint32(tag(16, BYTES)).string(isOdd ? String(value) : JSON.stringify(value));
  record.ldelim();
}
