import type { Command } from 'commander';
import { planCommand } from './plan.ts';
import { rolloutCommand } from './rollout.ts';
import { simulatorsCommand } from './simulators.ts';
import { validateCommand } from './validate.ts';

/** Every verb, in the order of the help. */
export const COMMANDS: readonly (() => Command)[] = [validateCommand, planCommand, simulatorsCommand, rolloutCommand];
