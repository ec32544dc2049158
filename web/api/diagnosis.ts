import { z } from 'zod';
import { listDiagnosedRuns } from '../../infra/postgres/diagnosis-rows.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { diagnosisSchema, type Diagnoses } from '../contract/results.ts';
import { evidenceText, verdictText } from '../documents/diagnosis-words.ts';
import { diagnoseVariants, type VariantDiagnosis } from '../documents/variant-diagnoses.ts';
import { verdictsOf } from '../documents/verdicts-of.ts';
import { defineRoute } from './route.ts';

export const diagnosisRoute = defineRoute({
  path: '/experiments/{id}/diagnosis',
  summary: 'Which of the known problems each variant shows, with the evidence and what helps.',
  query: z.strictObject({}),
  answer: diagnosisSchema,
  isKept: true,
  async load({ database }, { id }) {
    const { id: experimentId, resolved } = await findExperiment(database, id);
    const rows = await listResultRows(database, experimentId);
    const runs = await listDiagnosedRuns(database, experimentId);
    const variants = diagnoseVariants({ resolved, rows, runs }, { variant: undefined, seed: undefined });
    return { variants: variants.map(variantDocument) };
  },
});

function variantDocument(variant: VariantDiagnosis): Diagnoses['variants'][number] {
  const { rows, diagnoses } = variant;
  return {
    name: variant.variant,
    strategy: variant.strategyKind,
    runs: rows.length,
    verdicts: verdictsOf(rows),
    summary: verdictText(variant),
    diagnoses: diagnoses.map(({ id, found, headline, evidence, remedy }) => ({
      id,
      found,
      headline,
      evidence: evidence.map(evidenceText),
      remedy,
    })),
  };
}
