import type { Algorithm } from './contract.ts';
import { dqn } from './dqn.ts';
import { ippo } from './ippo.ts';
import { iql } from './iql.ts';
import { maddpg } from './maddpg.ts';
import { mappo } from './mappo.ts';
import { ppo } from './ppo.ts';
import { qmix } from './qmix.ts';
import { vdn } from './vdn.ts';

/** Every algorithm by the `name` that a spec gives. */
export const ALGORITHMS: Readonly<Record<string, Algorithm>> = { ippo, mappo, ppo, maddpg, iql, dqn, vdn, qmix };
