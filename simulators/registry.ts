import type { Family } from './contract.ts';
import { foraging } from './foraging/family.ts';
import { simpleSpeakerListener } from './simple-speaker-listener/family.ts';
import { kitchen } from './kitchen/family.ts';
import { simpleSpread } from './simple-spread/family.ts';
import { simpleTag } from './simple-tag/family.ts';

/** Every family that is built in, by the name that specs use. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  [simpleSpread.name]: simpleSpread,
  [simpleTag.name]: simpleTag,
  [simpleSpeakerListener.name]: simpleSpeakerListener,
  [foraging.name]: foraging,
  [kitchen.name]: kitchen,
};
