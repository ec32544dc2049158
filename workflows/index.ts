export { runExperiment } from './run-experiment.ts';
export { runVariant } from './run-variant.ts';
