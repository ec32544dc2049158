import { createLogUpdate } from 'log-update';

/** A block of lines on a terminal that is drawn anew in its place. */
export interface BlockDrawing {
  /** @param blockFor the block for a size; asked again when the terminal is resized */
  draw(blockFor: (screen: { columns: number; rows: number }) => string): void;
  /** Takes the block away, and gives the terminal back. */
  close(): void;
}

const UP_AND_ERASE = '\u001b[1A\u001b[2K';

/** @param stream one that `canDraw` */
export function createBlockDrawing(stream: NodeJS.WriteStream): BlockDrawing {
  const update = createLogUpdate(stream);
  let shown: { readonly block: string; readonly blockFor: Parameters<BlockDrawing['draw']>[0] } | null = null;
  const draw = (blockFor: Parameters<BlockDrawing['draw']>[0]): void => {
    const block = blockFor({ columns: stream.columns, rows: stream.rows });
    shown = { block, blockFor };
    update(block);
  };
  const resized = (): void => {
    if (shown === null) return;
    update.clear();
    // A terminal that became narrower has broken our lines, and each has more rows now than we wrote.
    stream.write(UP_AND_ERASE.repeat(rowsBroken(shown.block, stream.columns)));
    draw(shown.blockFor);
  };
  stream.on('resize', resized);
  return {
    draw,
    close() {
      stream.off('resize', resized);
      if (shown !== null) update.clear();
      update.done();
      shown = null;
    },
  };
}

/** How many rows a block takes beyond one for each of its lines. */
export function rowsBroken(block: string, columns: number): number {
  return block.split('\n').reduce((sum, line) => sum + Math.max(0, Math.ceil(line.length / columns) - 1), 0);
}
