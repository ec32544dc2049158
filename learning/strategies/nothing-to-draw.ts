import type { Evidence, Strategy } from './contract.ts';

type Problems = ReturnType<Strategy['check']>;

/** The check of the strategies that draw: there are ranges. */
export function noRanges({ options, randomization }: Evidence): Problems {
  if (Object.keys(randomization).length > 0) return [];
  return [
    {
      key: 'kind',
      problem: `${options.kind} has nothing to draw from: the experiment has no \`randomization\``,
      remedy: 'Add ranges, e.g. "randomization": { "rules.damping": [0.1, 0.5] }.',
    },
  ];
}

/** The check of those that draw on the train panel: there are ranges, and simulators to draw on. */
export function nothingToDraw(evidence: Evidence): Problems {
  if (evidence.trainPanel.length > 0) return noRanges(evidence);
  return [
    ...noRanges(evidence),
    {
      key: 'kind',
      problem: `${evidence.options.kind} draws on the members of the train panel, and it has none`,
      remedy: 'Name at least one simulator in panels.train.',
    },
  ];
}
