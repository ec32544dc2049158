import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { openWhole, type WholeFile } from '../../infra/artifacts/write-whole.ts';
import type { Row } from '../../infra/postgres/database.ts';
import type { ColumnKind, ExportColumn } from '../../infra/postgres/export-table.ts';
import { programVersion } from '../program-version.ts';
import { cellText } from './cell-text.ts';
import type { OpenTableFile, TableFile } from './table.ts';

/** Rows of a row group: few enough to be held in memory, enough to be read quickly. */
const GROUP_ROWS = 100_000;
/** Where texts are long a group ends before. */
const GROUP_TEXT_LENGTH = 32 * 2 ** 20;

/**
 * Apache Parquet, row group by row group, compressed with Snappy. What is not known is null, which is neither NaN nor
 * infinite; numbers are 64-bit floats to the last bit; moments are microseconds in UTC; JSON is text of the JSON type.
 */
export const openParquet: OpenTableFile = async (file, { columns }) => new ParquetTable(await openWhole(file), columns);

const TYPES: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

type Values = (string | number | bigint | boolean | null)[];

class ParquetTable implements TableFile {
  private readonly whole: WholeFile;
  private readonly columns: readonly ExportColumn[];
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private group: Values[];
  private textLength = 0;

  constructor(whole: WholeFile, columns: readonly ExportColumn[]) {
    this.whole = whole;
    this.columns = columns;
    this.group = columns.map(() => []);
    this.writer = new ParquetWriter({
      writer: this.bytes,
      schema: [
        { name: 'row', num_children: columns.length },
        ...columns.map(({ key, kind }) => ({ name: key, repetition_type: 'OPTIONAL' as const, ...TYPES[kind] })),
      ],
      createdBy: `thaw ${programVersion()}`,
    });
  }

  async write(rows: readonly Row[]): Promise<void> {
    for (const [index, { key, kind }] of this.columns.entries()) {
      const values = this.group[index]!;
      for (const row of rows) values.push(this.valueOf(kind, row[key]));
    }
    if (this.group[0]!.length >= GROUP_ROWS || this.textLength >= GROUP_TEXT_LENGTH) await this.endGroup();
  }

  async finish(): Promise<{ bytes: number }> {
    if (this.group[0]!.length > 0) await this.endGroup();
    await this.writer.finish();
    await this.flush();
    await this.whole.finish();
    return { bytes: this.whole.bytes };
  }

  abandon(): Promise<void> {
    return this.whole.abandon();
  }

  private valueOf(kind: ColumnKind, value: unknown): Values[number] {
    if (value === null || value === undefined) return null;
    if (kind === 'int64' || kind === 'timestamp') return BigInt(value as number);
    if (kind !== 'text' && kind !== 'json') return value as number | boolean;
    const text = cellText(kind, value);
    this.textLength += text.length;
    return text;
  }

  private async endGroup(): Promise<void> {
    const rowGroupSize = this.group[0]!.length;
    const columnData = this.columns.map(({ key, kind }, index) => ({
      name: key,
      data: this.group[index]!,
      // A dictionary would take −0 for 0.
      ...(kind === 'double' && { encoding: 'PLAIN' as const }),
    }));
    await this.writer.write({ columnData, rowGroupSize });
    this.group = this.columns.map(() => []);
    this.textLength = 0;
    await this.flush();
  }

  /** What is encoded goes to the disk: the writer itself only counts how much there was. */
  private async flush(): Promise<void> {
    await this.whole.write(this.bytes.getBytes());
    this.bytes.index = 0;
  }
}
