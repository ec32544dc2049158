import { z } from 'zod';
import type { Variables } from './values.ts';

const ENVIRONMENT_PATIENCE_S = 60;

/** The Pythons that are started. */
export interface PythonSettings {
  /** Python interpreter, used to fetch the Temporal CLI and to talk to bridged worlds. */
  readonly python: string;
  /** How long an environment in Python may take for its start, a step or a reset, in seconds. */
  readonly environmentPatienceS: number;
  /** Interpreters that benchmarks run other systems with; `python` where nothing is said. */
  readonly jaxPeerPython: string;
  readonly torchPeerPython: string;
}

export const pythonVariables = {
  THAW_PYTHON: z.string().optional(),
  THAW_ENVIRONMENT_PATIENCE_S: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'expected a whole number of seconds' })
    .optional(),
  THAW_PEER_JAX_PYTHON: z.string().optional(),
  THAW_PEER_TORCH_PYTHON: z.string().optional(),
};

export function pythonSettings(variables: Variables<typeof pythonVariables>): PythonSettings {
  const python = variables.THAW_PYTHON ?? 'python3';
  return {
    python,
    environmentPatienceS: Number(variables.THAW_ENVIRONMENT_PATIENCE_S ?? ENVIRONMENT_PATIENCE_S),
    jaxPeerPython: variables.THAW_PEER_JAX_PYTHON ?? python,
    torchPeerPython: variables.THAW_PEER_TORCH_PYTHON ?? python,
  };
}

export function pythonEnvironment(settings: PythonSettings): Record<keyof typeof pythonVariables, string> {
  return {
    THAW_PYTHON: settings.python,
    THAW_ENVIRONMENT_PATIENCE_S: String(settings.environmentPatienceS),
    THAW_PEER_JAX_PYTHON: settings.jaxPeerPython,
    THAW_PEER_TORCH_PYTHON: settings.torchPeerPython,
  };
}
