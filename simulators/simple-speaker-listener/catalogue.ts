import type { CatalogueEntry } from '../contract.ts';
import { LISTENER, type ListenerPolicy, SPEAKER, type SpeakerPolicy } from './parameters.ts';

type Data = Readonly<Record<string, unknown>>;

function entry(summary: string, simulator: Data): CatalogueEntry {
  return { summary, simulator };
}

const speaker = (name: SpeakerPolicy, numbers: Data = {}): Data => ({
  partners: { [SPEAKER]: { kind: 'scripted', name, ...numbers } },
});
const listener = (name: ListenerPolicy, numbers: Data = {}): Data => ({
  partners: { [LISTENER]: { kind: 'scripted', name, ...numbers } },
});

/** Both seats driven from outside; one thing about the world differs. */
const WORLDS: Readonly<Record<string, CatalogueEntry>> = {
  base: entry('MPE2 as it is.', {}),
  slippery: entry('The listener keeps more of its speed.', { rules: { damping: 0.1 } }),
  sticky: entry('The listener loses half of its speed in every step.', { rules: { damping: 0.5 } }),
  close: entry('Landmarks lie close together.', { scenarios: { landmark_half_width: 0.4 } }),
  heavy: entry('The listener has twice the mass.', { rules: { mass: 2 } }),
  swift: entry('Moves push half as much again.', { rules: { acceleration: 7.5 } }),
  soft_spoken: entry('Words are heard half as loud.', { rules: { loudness: 0.5 } }),
  one_goal_often: entry('The first landmark is the goal in eight of ten episodes.', {
    scenarios: { goal_weights: [1, 0.125, 0.125] },
  }),
  noisy: entry('Agents see everything with noise.', { perturbations: { observation_noise: 0.1 } }),
  delayed: entry('Actions take effect two steps late.', { perturbations: { action_delay: 2 } }),
  hoarse: entry('What is heard has noise.', { perturbations: { channel_noise: 0.3 } }),
  gappy: entry('Half of the words are lost.', { perturbations: { channel_loss: 0.5 } }),
  misheard: entry('A quarter of the words are taken for another.', { perturbations: { channel_error: 0.25 } }),
  mute: entry('Nothing is heard.', { perturbations: { channel_loss: 1 } }),
  exchanged: entry('On their way 0 and 1 are exchanged.', { perturbations: { channel_permutation: 2 } }),
  drifting: entry('Every ten steps each symbol turns into the next.', { perturbations: { channel_drift: 10 } }),
};

/** The listener learns: the speaker is scripted. Code books 3 to 5 are for those who hold some out. */
const SPEAKERS: Readonly<Record<string, CatalogueEntry>> = {
  speaker_faithful: entry('The speaker says the index of the goal.', speaker('faithful')),
  speaker_021: entry('The speaker says 0, 2, 1 for the goals.', speaker('code_book', { code_book: 1 })),
  speaker_102: entry('The speaker says 1, 0, 2 for the goals.', speaker('code_book', { code_book: 2 })),
  speaker_120: entry('The speaker says 1, 2, 0 for the goals.', speaker('code_book', { code_book: 3 })),
  speaker_201: entry('The speaker says 2, 0, 1 for the goals.', speaker('code_book', { code_book: 4 })),
  speaker_210: entry('The speaker says 2, 1, 0 for the goals.', speaker('code_book', { code_book: 5 })),
  speaker_any: entry('The speaker has a code book drawn anew for each episode.', speaker('drawn_code_book')),
  speaker_once: entry('The speaker says the goal once, and then always 0.', speaker('once')),
  speaker_late: entry('The speaker says the goal after eight steps of 0.', speaker('faithful', { lateness: 8 })),
  speaker_erratic: entry(
    'The speaker says the goal, a third of its words being random.',
    speaker('faithful', { epsilon: 0.33 }),
  ),
  speaker_silent: entry('The speaker always says 0, which tells nothing.', speaker('noop')),
  speaker_random: entry('The speaker speaks at random.', speaker('random')),
};

/** The speaker learns: the listener is scripted. */
const LISTENERS: Readonly<Record<string, CatalogueEntry>> = {
  listener_greedy: entry('The listener goes to the landmark with the index it hears.', listener('greedy')),
  listener_021: entry('The listener takes 0, 2, 1 for the goals.', listener('code_book', { code_book: 1 })),
  listener_102: entry('The listener takes 1, 0, 2 for the goals.', listener('code_book', { code_book: 2 })),
  listener_120: entry('The listener takes 1, 2, 0 for the goals.', listener('code_book', { code_book: 3 })),
  listener_201: entry('The listener takes 2, 0, 1 for the goals.', listener('code_book', { code_book: 4 })),
  listener_210: entry('The listener takes 2, 1, 0 for the goals.', listener('code_book', { code_book: 5 })),
  listener_lazy: entry('The listener goes where it is told, but not all the way.', listener('lazy')),
  listener_slow: entry('The listener goes where it is told with half the force.', listener('greedy', { speed: 0.5 })),
  listener_erratic: entry(
    'The listener goes where it is told, a third of its moves being random.',
    listener('greedy', { epsilon: 0.33 }),
  ),
  listener_deaf: entry('The listener goes to the middle of the landmarks.', listener('centre')),
  listener_stubborn: entry('The listener goes to its nearest landmark.', listener('nearest_landmark')),
  listener_random: entry('The listener moves at random.', listener('random')),
};

/** The built-in simulators. */
export const CATALOGUE: Readonly<Record<string, CatalogueEntry>> = { ...WORLDS, ...SPEAKERS, ...LISTENERS };
