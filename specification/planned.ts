// What the format has a name for and this version does not have. A request for it is refused by name instead of being
// called a typing error, and never ignored.

interface PlannedValue {
  readonly isPlanned: (value: unknown) => boolean;
  readonly available: string;
  readonly remedy: string;
}

/** Values by the path of their key. */
export const PLANNED_VALUES: Readonly<Record<string, PlannedValue>> = {
  'execution.require_fingerprint': {
    isPlanned: (value) => value === true,
    available: 'false',
    remedy: 'Leave it out, and start workers on machines of one kind only.',
  },
};
