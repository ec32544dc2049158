import { describe, expect, it } from 'vitest';
import { INITIAL_MOMENTS, rescaleHead, scaleFromMoments, updatedMoments } from './popart.ts';

describe('PopArt', () => {
  it('after one block knows exactly that block', () => {
    const scale = scaleFromMoments(updatedMoments(INITIAL_MOMENTS, Float32Array.of(-3, -1, 1, 7)));
    expect(scale.mean).toBeCloseTo(1, 10);
    expect(scale.std).toBeCloseTo(Math.sqrt((16 + 4 + 0 + 36) / 4), 10);
  });

  it('keeps every prediction in units of return when the scale changes', () => {
    const before = { mean: -4, std: 2.5 };
    const after = { mean: 11, std: 0.5 };
    const weight = Float32Array.of(0.5, -1, 2);
    const bias = Float32Array.of(0.25);
    const features = [0.1, 0.7, -0.3];
    const predict = ({ mean, std }: typeof before): number =>
      mean + std * features.reduce((sum, feature, index) => sum + feature * weight[index]!, bias[0]!);
    const expected = predict(before);
    rescaleHead(weight, bias, before, after);
    expect(predict(after)).toBeCloseTo(expected, 5);
  });

  it('never scales by zero', () => {
    expect(scaleFromMoments(updatedMoments(INITIAL_MOMENTS, Float32Array.of(2, 2))).std).toBeGreaterThan(0);
  });
});
