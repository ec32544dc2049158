import picocolors from 'picocolors';

type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal, and never with NO_COLOR, whatever its value. */
export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Colors {
  return picocolors.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** Writes a line to standard output: what was asked for. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a line to standard error: what is worth knowing beside it. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Tells steps of a start-up, on a terminal only. */
export function noteOnTerminal(text: string): void {
  if (process.stderr.isTTY) note(colorsFor(process.stderr).dim(text));
}
