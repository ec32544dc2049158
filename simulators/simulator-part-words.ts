/** What the parts of a simulator are, in every family: the words of its schema. */
export const SIMULATOR_PART_WORDS = {
  partners: 'Who sits on the seats that do not learn, by seat: "0" is the first.',
  partner: 'Who sits here. Left out: a learner, or, on a seat that does not learn, the current policy.',
  policy: 'What the partner does.',
  rules: 'Numbers of the world itself, e.g. its physics.',
  scenarios: 'Where episodes start.',
  start:
    'The place where episodes start, or about which starts are drawn; or the name of a recorded one, `import:NAME/EPISODE@STEP`.',
  rewards: 'How what happens is rewarded.',
  perturbations: 'Noise, delay and the like, between the policies and the world.',
} as const;
