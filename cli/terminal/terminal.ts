import picocolors from 'picocolors';
import { maskSecrets } from '../../infra/mask-secrets.ts';
import { visibleText } from './visible-text.ts';

type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: only on a terminal, and never with NO_COLOR, whatever its value. */
export function colorsFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Colors {
  return picocolors.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** Writes a line to standard output: what was asked for. Nothing in it can steer a terminal. CSV has its own ends of lines. */
export function print(text: string): void {
  process.stdout.write(`${visibleOn(process.stdout, text)}${text.endsWith('\r\n') ? '' : '\n'}`);
}

/** Writes a line to standard error: what is worth knowing beside it. Nothing in it steers a terminal, or is a password. */
export function note(text: string): void {
  process.stderr.write(`${visibleOn(process.stderr, maskSecrets(text))}\n`);
}

/** Text for a stream, on which our own colours stay where they are shown. */
export function visibleOn(stream: { readonly isTTY?: boolean }, text: string): string {
  return visibleText(text, { hasColors: colorsFor(stream).isColorSupported });
}

/** Tells steps of a start-up, on a terminal only. */
export function noteOnTerminal(text: string): void {
  if (process.stderr.isTTY) note(colorsFor(process.stderr).dim(text));
}
