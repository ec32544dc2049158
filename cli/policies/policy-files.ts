/** Policies that a spec names by file or as imported: SHA-256 → content. */
export type PolicyFiles = ReadonlyMap<string, Uint8Array>;
