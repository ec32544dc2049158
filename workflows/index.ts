export { runExperiment } from './run-experiment.ts';
export { runVariant } from './run-variant.ts';
export { tellEnd } from './tell-end.ts';
