import type { LoadedPolicy } from '../../infra/onnx/policy-model.ts';

/** Lends policies by the hash of their file: each is opened once, and all are closed at the end. */
export interface PolicyLender {
  readonly load: (artifact: string) => Promise<LoadedPolicy>;
  readonly release: () => Promise<void>;
}

/** @param read the content of the file with a hash */
export function createPolicyLender(read: (artifact: string) => Promise<Uint8Array>): PolicyLender {
  const open = new Map<string, Promise<LoadedPolicy>>();
  const openAnew = async (artifact: string): Promise<LoadedPolicy> => {
    const { loadPolicy } = await import('../../infra/onnx/policy-model.ts');
    return loadPolicy(await read(artifact), `the policy ${artifact}`);
  };
  return {
    load: (artifact) => {
      const opening = open.get(artifact) ?? openAnew(artifact);
      open.set(artifact, opening);
      return opening;
    },
    release: async () => {
      for (const opening of await Promise.allSettled(open.values())) {
        if (opening.status === 'fulfilled') await opening.value.release();
      }
    },
  };
}
