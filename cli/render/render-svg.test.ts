import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../simulators/registry.ts';
import { keyFrom } from '../../simulators/random.ts';
import { elementsBelow, parseXml, type XmlElement } from '../../test/support/parse-xml.ts';
import type { Episode, Frame } from '../../web/replay/episode.ts';
import { renderSvg } from './render-svg.ts';

/** Some steps of a simulator, everybody doing action 1. */
function played(family: string, steps: number, changes: Partial<Episode> = {}): Episode {
  const world = FAMILIES[family]!.open(FAMILIES[family]!.optionsSchema.parse({}));
  const simulator = world.simulatorSchema.parse({});
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), keyFrom(1));
  const frames: Frame[] = [{ drawing: world.draw(batch.state(0), simulator.rules), rewards: null }];
  for (let step = 0; step < steps; step += 1) {
    void batch.step(new Int32Array(world.seatCount).fill(1));
    frames.push({ drawing: world.draw(batch.state(0), simulator.rules), rewards: [...batch.rewards] });
  }
  return {
    title: family,
    subtitle: 'simulator base, seed 1',
    caption: FAMILIES[family]!.card.picture,
    ending: 'time over',
    view: world.view,
    groups: world.groups,
    cooperative: world.cooperative,
    drivers: Array.from({ length: world.seatCount }, (_, seat) => ({ name: `driver ${seat}`, isScripted: seat === 1 })),
    frames,
    ...changes,
  };
}

const elementsOf = (episode: Episode) => elementsBelow(parseXml(renderSvg(episode).trim()));
const textOf = (element: XmlElement) => elementsBelow(element).map(({ text }) => text);
const framesOf = (episode: Episode) => elementsOf(episode).filter(({ attributes }) => attributes['class'] === 'frame');

/** Times are shares that grow from 0, each with its value. */
function checkTimes(element: XmlElement): void {
  const times = element.attributes['keyTimes']!.split(';').map(Number);
  expect(times[0]).toBe(0);
  expect(times.every((time, index) => time <= 1 && (index === 0 || time > times[index - 1]!))).toBe(true);
  expect(element.attributes['values']!.split(';')).toHaveLength(times.length);
}

describe.each(Object.keys(FAMILIES))('an episode of %s', (family) => {
  const episode = played(family, 8);

  it('has a frame for the start and for every step, of which a viewer without animation shows the first', () => {
    const frames = framesOf(episode);
    expect(frames).toHaveLength(episode.frames.length);
    expect(frames.map(({ attributes }) => attributes['visibility'] === 'visible')).toEqual(
      episode.frames.map((_, index) => index === 0),
    );
    frames.forEach((frame, index) => expect(textOf(frame).join()).toContain(`step ${index}`));
    expect(textOf(frames.at(-1)!).join()).toContain(episode.ending);
  });

  it('says what is played, how to read it, and who acts on each seat', () => {
    const texts = elementsOf(episode).map(({ text }) => text);
    expect(texts).toContain(episode.title);
    expect(texts).toContain(episode.subtitle);
    for (const { name } of episode.drivers) expect(texts).toContain(name);
    expect(texts.join(' ')).toContain(episode.caption.split(' ').slice(0, 5).join(' '));
  });

  it('animates without a script, over and over, at times that grow', () => {
    const elements = elementsOf(episode);
    expect(elements.some(({ name }) => name === 'script')).toBe(false);
    const animations = elements.filter(({ name }) => name.startsWith('animate'));
    expect(animations.length).toBeGreaterThan(episode.frames.length);
    for (const animation of animations) {
      expect(animation.attributes['repeatCount']).toBe('indefinite');
      checkTimes(animation);
    }
  });

  it('is made of numbers', () => {
    expect(renderSvg(episode)).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('renderSvg', () => {
  it('shows the start alone when there are no steps', () => {
    expect(framesOf(played('simple_spread', 0))).toHaveLength(1);
  });

  it('escapes names, whatever is in them', () => {
    const name = `<b>&"'\u0000`;
    const drivers = played('simple_spread', 0).drivers.map(() => ({ name, isScripted: false }));
    const episode = played('simple_spread', 2, { title: name, subtitle: name, caption: name, drivers });
    const seen = name.replace('\u0000', '\ufffd');
    expect(elementsOf(episode).filter(({ text }) => text === seen).length).toBe(3 + drivers.length);
  });

  it('grows with the number of frames, not faster', () => {
    const sizeOf = (steps: number) => renderSvg(played('simple_spread', steps)).length;
    const [few, twice, many] = [sizeOf(25), sizeOf(50), sizeOf(400)];
    const perStep = (twice - few) / 25;
    expect(many).toBeLessThan(few + 375 * perStep * 1.2);
    expect(many).toBeLessThan(500_000);
  });

  it('widens the view where somebody leaves it, for all frames alike', () => {
    const inside = played('simple_spread', 1);
    const away = played('simple_spread', 400);
    const radiusOf = (episode: Episode) =>
      Math.max(...elementsOf(episode).map(({ attributes }) => Number(attributes['r'] ?? 0)));
    expect(Math.min(...away.frames.flatMap(({ drawing }) => drawing.shapes.map(({ x }) => x)))).toBeLessThan(-3);
    expect(radiusOf(away)).toBeLessThan(radiusOf(inside));
  });

  it('hides what is eaten from the frame on in which it is gone', () => {
    const { frames, ...rest } = played('foraging', 2);
    const without = frames[0]!.drawing.shapes.filter(({ role }) => role !== 'target');
    const eaten = [frames[0]!, frames[0]!, { drawing: { shapes: without }, rewards: frames[1]!.rewards }];
    const hiding = elementsOf({ ...rest, frames: eaten }).filter(
      ({ attributes: { attributeName, values } }) => attributeName === 'visibility' && values === 'visible;hidden',
    );
    const food = frames[0]!.drawing.shapes.length - without.length;
    // The first step counter hides once, too.
    expect(hiding).toHaveLength(food + 1);
  });

  it('sums the returns of a team, and averages those of groups that play against each other', () => {
    const rewards = [1, 2, 6];
    const frames = played('simple_spread', 0).frames;
    const two = [frames[0]!, { ...frames[0]!, rewards }, { ...frames[0]!, rewards }];
    const groups = [
      { role: 'hunter', seats: [0, 1] },
      { role: 'hunted', seats: [2] },
    ];
    const lastOf = (episode: Episode) => textOf(framesOf(episode).at(-1)!);
    const seats = ['2.00', '4.00', '12.00'];
    expect(lastOf(played('simple_spread', 0, { frames: two })).filter((text) => /^\d/.test(text))).toEqual([
      '18.00',
      ...seats,
    ]);
    const against = played('simple_spread', 0, { frames: two, groups, cooperative: false });
    expect(lastOf(against).filter((text) => /^\d/.test(text))).toEqual(['3.00', '12.00', ...seats]);
  });

  it('marks a frame: in its name, in the curve, about the scene, and with a ring where each seat is', () => {
    const marked = played('simple_spread', 4, { mark: { frame: 2, text: 'key moment' } });
    const names = framesOf(marked).map((frame) => textOf(frame).find((text) => text.startsWith('step')));
    expect(names).toEqual(['step 0 of 4', 'step 1 of 4', 'step 2: key moment', 'step 3 of 4', 'step 4: time over']);
    const added = (episode: Episode) => elementsOf(episode).filter(({ attributes }) => attributes['class'] === 'mark');
    expect(added(marked)).toHaveLength(marked.drivers.length);
    const seats = elementsOf(marked).map(({ text }) => text);
    expect(seats).toContain('key moment: step 2');
    const alarms = elementsOf(marked).filter(({ attributes }) => attributes['values'] === 'hidden;visible;hidden');
    // The counters of the three steps in the middle show once, too.
    expect(alarms).toHaveLength(1 + 3);
    expect(added(played('simple_spread', 4))).toEqual([]);
  });
});
