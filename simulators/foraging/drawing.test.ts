import { describe, expect, it } from 'vitest';
import { draw, viewOf } from './drawing.ts';

const SIZE = 6;
const state = {
  players: [
    [0, 0, 2],
    [0, 0, 1],
    [SIZE - 1, SIZE - 1, 3],
  ],
  food: [[1, 4, 3]],
};

const shapesOf = (sight: number) => draw(SIZE, state, { sight }).shapes;
const shapeOf = (id: string) => shapesOf(SIZE).find((shape) => shape.id === id)!;

describe('draw', () => {
  it('puts row 0 at the top and column 0 at the left', () => {
    expect(shapeOf('food 1 4')).toMatchObject({ x: 4.5, y: SIZE - 1.5, label: '3' });
    expect(shapeOf('seat 2')).toMatchObject({ x: SIZE - 0.5, y: 0.5 });
  });

  it('lets players who share a cell stand apart, inside of it', () => {
    const [one, other] = [shapeOf('seat 0'), shapeOf('seat 1')];
    expect(one.x).toBeLessThan(other.x);
    expect((one.x + other.x) / 2).toBe(0.5);
    expect([Math.floor(one.x), Math.floor(other.x)]).toEqual([0, 0]);
  });

  it('shows the levels of players as badges that go with them', () => {
    const badges = shapesOf(SIZE).filter(({ role }) => role === 'badge');
    expect(badges.map(({ label }) => label)).toEqual(state.players.map(([, , level]) => String(level)));
    expect(badges.map(({ seat }) => seat)).toEqual(state.players.map((_, seat) => seat));
  });

  it('shows what players see where that is not the whole field', () => {
    const sights = shapesOf(1).filter(({ role }) => role === 'sight');
    expect(sights).toHaveLength(state.players.length);
    expect(sights[0]).toMatchObject({ width: 3, height: 3 });
    expect(shapesOf(SIZE).filter(({ role }) => role === 'sight')).toEqual([]);
  });

  it('keeps the middles of everything inside its view', () => {
    const { left, bottom, width, height } = viewOf(SIZE);
    for (const { x, y } of shapesOf(1)) {
      expect(x).toBeGreaterThanOrEqual(left);
      expect(x).toBeLessThanOrEqual(left + width);
      expect(y).toBeGreaterThanOrEqual(bottom);
      expect(y).toBeLessThanOrEqual(bottom + height);
    }
  });
});
