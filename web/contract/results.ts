import { z } from 'zod';
import { RUN_STATES } from '../../schemas/records.ts';
import { intervalSchema, measureSchema, numberSchema } from './numbers.ts';

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `GET /experiments/{id}/results?metric=&round=`: a metric by seed and variant, and what it is over seeds. */
export const resultsSchema = z.strictObject({
  metric: z.string(),
  /** `last`, `best`, or a number of completed rounds. */
  round: z.string(),
  /** In the order of the spec. */
  variants: z.array(
    z.strictObject({
      name: z.string(),
      n: z.int(),
      n_expected: z.int(),
      mean: measureSchema,
      iqm: measureSchema,
      std: measureSchema,
      ci95: intervalSchema,
      /** How many runs have each verdict. */
      verdicts: z.record(z.string(), z.int()),
    }),
  ),
  seeds: z.array(z.int()),
  cells: z.array(
    z.strictObject({
      run_id: z.string(),
      variant: z.string(),
      seed: z.int(),
      state: z.enum(RUN_STATES),
      value: measureSchema,
      verdict: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** At equal what the variants are compared, in words. */
  comparability: z.string(),
});

/** `GET /experiments/{id}/rows`: every run with every column of the result table. */
export const resultRowsSchema = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), cellSchema)),
});

const curvePointSchema = z.strictObject({
  round: z.int(),
  env_steps: z.int(),
  n: z.int(),
  mean: measureSchema,
  /** 95 % interval over the seeds; where there are too few for one, the lowest and the highest. */
  low: measureSchema,
  high: measureSchema,
});

/** `GET /experiments/{id}/curves`: returns on the way, seeds folded into a line with a band. */
export const curvesSchema = z.strictObject({
  variants: z.array(
    z.strictObject({
      name: z.string(),
      train_return: z.array(curvePointSchema),
      validation_return: z.array(curvePointSchema),
      heldout_return: z.array(curvePointSchema),
      worst_heldout: z.array(curvePointSchema),
    }),
  ),
});

/** `GET /experiments/{id}/comparison?metric=&baseline=`: statistics between variants. */
export const comparisonSchema = z.strictObject({
  metric: z.string(),
  /** The variant that all others are compared with; null without a variant. */
  baseline: z.string().nullable(),
  variants: z.array(
    z.strictObject({
      name: z.string(),
      n: z.int(),
      n_expected: z.int(),
      mean: measureSchema,
      median: measureSchema,
      iqm: measureSchema,
      iqm_ci95: intervalSchema,
      /** Share of runs with more than each threshold; empty where no run has a value. */
      profile: z.array(numberSchema),
    }),
  ),
  thresholds: z.array(numberSchema),
  pairs: z.array(
    z.strictObject({
      first: z.string(),
      second: z.string(),
      /** That a run of the first has more than one of the second; ties count half. */
      probability_of_improvement: measureSchema,
      probability_ci95: intervalSchema,
      /** Seeds that have a value in both. */
      seeds: z.int(),
      /** Mean paired difference by seed, first − second; null without common seeds. */
      difference: measureSchema,
      difference_ci95: intervalSchema,
      /** Of Welch's and Wilcoxon's tests, corrected after Holm over the pairs; null where there are too few runs. */
      welch_p: z.number().nullable(),
      wilcoxon_p: z.number().nullable(),
      /** All of this as one plain sentence. */
      summary: z.string(),
    }),
  ),
  /** Where the variants differ in more than what is compared, and which runs are left out. */
  warnings: z.array(z.string()),
});

/** `GET /experiments/{id}/simulator-returns?panel=`: what each variant got on every simulator at its end. */
export const simulatorReturnsSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      variant: z.string(),
      panel: z.enum(['train', 'validation', 'test']),
      simulator: z.string(),
      n: z.int(),
      mean: measureSchema,
      /** Over runs. */
      std: measureSchema,
    }),
  ),
});

/** `GET /experiments/{id}/sensitivity`: each rule scaled, each scripted partner in turn. */
export const sensitivitySchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      variant: z.string(),
      kind: z.string(),
      name: z.string(),
      factor: z.number().nullable(),
      n: z.int(),
      return_mean: measureSchema,
      /** Share of the gain over chance that was given up. */
      loss: measureSchema,
      cliffs: z.int(),
    }),
  ),
});

const matrixSchema = z.strictObject({
  rows: z.array(z.string()),
  columns: z.array(z.string()),
  /** Row by row; null where nothing was measured. */
  values: z.array(z.array(measureSchema)),
});

/** `GET /experiments/{id}/matrices`: how far simulators are from each other, and who plays with whom. */
export const matricesSchema = z.strictObject({
  distances: z.strictObject({ metric: z.string(), matrix: matrixSchema }).nullable(),
  /** Null until `thaw cross-play` was run. */
  cross_play: matrixSchema.nullable(),
});

/** `GET /experiments/{id}/diagnosis` */
export const diagnosisSchema = z.strictObject({
  variants: z.array(
    z.strictObject({
      name: z.string(),
      strategy: z.string(),
      runs: z.int(),
      verdicts: z.record(z.string(), z.int()),
      /** The verdict with its returns, in words. */
      summary: z.string(),
      diagnoses: z.array(
        z.strictObject({
          id: z.string(),
          found: z.enum(['yes', 'no', 'unknown']),
          headline: z.string(),
          evidence: z.array(z.string()),
          remedy: z.string(),
        }),
      ),
    }),
  ),
});

export type Results = z.infer<typeof resultsSchema>;
export type ResultRows = z.infer<typeof resultRowsSchema>;
export type CurvePoint = z.infer<typeof curvePointSchema>;
export type Curves = z.infer<typeof curvesSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type SimulatorReturns = z.infer<typeof simulatorReturnsSchema>;
export type Sensitivity = z.infer<typeof sensitivitySchema>;
export type Matrix = z.infer<typeof matrixSchema>;
export type Matrices = z.infer<typeof matricesSchema>;
export type Diagnoses = z.infer<typeof diagnosisSchema>;
