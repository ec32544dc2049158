import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import { policyWeights } from '../infra/onnx/policy-weights.ts';
import type { AlgorithmParameters, ReleasableModel } from '../learning/algorithms/contract.ts';
import type { TrainingSimulator } from '../learning/rollout/played-round.ts';
import type { PolicyModel } from '../learning/rollout/partner-policies.ts';
import type { InitialWeights } from '../learning/transfer/initial-weights.ts';
import type { PartnerData, World } from '../simulators/contract.ts';
import type { PolicyPartner } from '../simulators/outside-partners.ts';

export interface PolicyDependencies {
  readonly artifacts: ArtifactStore;
  /** Reads a policy file; errors call it by the name given. */
  readonly loadModel: (bytes: Uint8Array, name: string) => Promise<ReleasableModel>;
}

/** Policies of partners in memory, kept while the pool that is trained on names them. */
export class SessionPolicies {
  private readonly dependencies: PolicyDependencies;
  private readonly policies = new Map<string, Promise<ReleasableModel>>();

  constructor(dependencies: PolicyDependencies) {
    this.dependencies = dependencies;
  }

  readonly load = (artifact: string): Promise<PolicyModel> => {
    const known = this.policies.get(artifact);
    if (known !== undefined) return known;
    const { artifacts, loadModel } = this.dependencies;
    const loading = artifacts.read(artifact).then((bytes) => loadModel(bytes, `the policy ${artifact}`));
    this.policies.set(artifact, loading);
    // What could not be read now may be there when it is asked for again.
    loading.catch(() => this.policies.delete(artifact));
    return loading;
  };

  /** A population replaces its partners: without this every one there ever was would stay in memory. */
  async keepThoseOf(pool: readonly TrainingSimulator[]): Promise<void> {
    const named = new Set(pool.flatMap(({ simulator }) => Object.values(simulator.partners).map(artifactOf)));
    for (const [artifact, loading] of this.policies) {
      if (named.has(artifact)) continue;
      this.policies.delete(artifact);
      await (await loading).release();
    }
  }
}

function artifactOf(partner: PartnerData): string | null {
  return partner.kind === 'policy' ? (partner as PolicyPartner).artifact : null;
}

/**
 * What the networks of a learner start from, see `LearnerSetup.initial`.
 * @throws REQUEST_CONFLICT when a policy does not tell its weights by name
 */
export async function initialWeights(
  { transfer }: AlgorithmParameters,
  { groups }: Pick<World, 'groups'>,
  artifacts: Pick<ArtifactStore, 'read'>,
): Promise<readonly (InitialWeights | null)[]> {
  return Promise.all(
    groups.map(async ({ role }) => {
      const artifact = transfer?.policies[role]?.artifact;
      if (artifact === undefined) return null;
      const origin = `the policy ${artifact}`;
      return { origin, weights: policyWeights(await artifacts.read(artifact), origin), frozen: transfer!.freeze };
    }),
  );
}
