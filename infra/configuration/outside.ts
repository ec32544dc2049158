import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import { mirrorUrlSchema, webhookUrlSchema } from '../../schemas/webhook-url.ts';
import { placeOf } from '../webhook.ts';
import type { Variables } from './values.ts';

/** Who is let in from outside, who is told there, and with which credentials. */
export interface OutsideSettings {
  /** What opens the page beyond this machine; null to make one up at every start. */
  readonly uiToken: string | null;
  /** Told when an experiment of this installation ends; null for nobody but whom an experiment itself names. */
  readonly webhookUrl: string | null;
  /** What notices are signed with; null for no signature. */
  readonly webhookSecret: string | null;
  /** The tracking server of MLflow that the credentials below are for: they are sent to no other. */
  readonly mlflowUrl: string | null;
  /** A bearer token; it goes before a name and a password. */
  readonly mlflowToken: string | null;
  readonly mlflowUsername: string | null;
  readonly mlflowPassword: string | null;
}

/** Fit for a header of a request. */
const headerText = z.string().regex(/^[\x20-\x7e]+$/, { error: 'expected printable ASCII' });

export const outsideVariables = {
  THAW_WEBHOOK_URL: webhookUrlSchema.optional(),
  THAW_WEBHOOK_SECRET: z.string().min(16, { error: 'expected at least 16 characters' }).optional(),
  THAW_MLFLOW_URL: mirrorUrlSchema.optional(),
  THAW_MLFLOW_TOKEN: headerText.optional(),
  THAW_MLFLOW_USERNAME: headerText.optional(),
  THAW_MLFLOW_PASSWORD: headerText.optional(),
  THAW_UI_TOKEN: z
    .string()
    .regex(/^[\w.~-]{16,}$/, { error: 'expected at least 16 letters, digits or any of . _ ~ -' })
    .optional(),
};

type OutsideVariables = Variables<typeof outsideVariables>;

/** @throws REQUEST_BAD_ARGUMENT for credentials that are for no server */
export function outsideSettings(variables: OutsideVariables): OutsideSettings {
  refuseUnplacedCredentials(variables);
  return {
    uiToken: variables.THAW_UI_TOKEN ?? null,
    webhookUrl: variables.THAW_WEBHOOK_URL ?? null,
    webhookSecret: variables.THAW_WEBHOOK_SECRET ?? null,
    mlflowUrl: variables.THAW_MLFLOW_URL ?? null,
    mlflowToken: variables.THAW_MLFLOW_TOKEN ?? null,
    mlflowUsername: variables.THAW_MLFLOW_USERNAME ?? null,
    mlflowPassword: variables.THAW_MLFLOW_PASSWORD ?? null,
  };
}

export function outsideEnvironment(settings: OutsideSettings): Record<keyof typeof outsideVariables, string> {
  return {
    THAW_UI_TOKEN: settings.uiToken ?? '',
    THAW_WEBHOOK_URL: settings.webhookUrl ?? '',
    THAW_WEBHOOK_SECRET: settings.webhookSecret ?? '',
    THAW_MLFLOW_URL: settings.mlflowUrl ?? '',
    THAW_MLFLOW_TOKEN: settings.mlflowToken ?? '',
    THAW_MLFLOW_USERNAME: settings.mlflowUsername ?? '',
    THAW_MLFLOW_PASSWORD: settings.mlflowPassword ?? '',
  };
}

/** The same with secrets replaced by `***`. */
export function maskOutside(settings: OutsideSettings): OutsideSettings {
  const masked = (secret: string | null): string | null => (secret === null ? null : '***');
  return {
    ...settings,
    uiToken: masked(settings.uiToken),
    // The path of such an address is often the secret itself.
    webhookUrl: settings.webhookUrl === null ? null : `${placeOf(settings.webhookUrl)}/***`,
    webhookSecret: masked(settings.webhookSecret),
    mlflowToken: masked(settings.mlflowToken),
    mlflowPassword: masked(settings.mlflowPassword),
  };
}

/** Credentials are for one server: without its address they would be for whatever a spec names. */
function refuseUnplacedCredentials(variables: OutsideVariables): void {
  const given = (['THAW_MLFLOW_TOKEN', 'THAW_MLFLOW_USERNAME', 'THAW_MLFLOW_PASSWORD'] as const).filter(
    (name) => variables[name] !== undefined,
  );
  if (given.length === 0 || variables.THAW_MLFLOW_URL !== undefined) return;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `The environment is wrong. ${given.join(', ')}: for which server?`, {
    remedy: 'Set THAW_MLFLOW_URL to the address as `execution.mirrors` has it: they are sent to no other.',
  });
}
