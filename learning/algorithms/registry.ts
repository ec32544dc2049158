import type { Algorithm } from './contract.ts';
import { ippo } from './ippo.ts';

/** Every algorithm by the `name` that a spec gives. */
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = { ippo };
