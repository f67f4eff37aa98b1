import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromHalfVector, toHalfVector } from './half-vector.js';

const length = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

it('a vector comes back with its direction, of unit length, within what 16 bits hold', () => {
  const component = fc.float({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(component, { minLength: 1, maxLength: 64 }), (components) => {
      const vector = Float32Array.from(components);
      fc.pre(length(vector) > 1e-3);
      const half = toHalfVector(vector);
      const back = fromHalfVector(half ?? Buffer.alloc(0));
      expect(half).toHaveLength(vector.length * 2);
      expect(length(back)).toBeCloseTo(1, 2);
      back.forEach((value, at) => expect(value).toBeCloseTo((vector[at] ?? 0) / length(vector), 2));
    }),
  );
});

it.each([[[0, 0]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]], [[]]])(
  '%j has no direction',
  (components) => {
    expect(toHalfVector(Float32Array.from(components))).toBeNull();
  },
);

it('has its bytes in the order that says nothing of the machine', () => {
  expect(toHalfVector(Float32Array.from([5, 0]))).toEqual(Buffer.from([0x00, 0x3c, 0, 0]));
});
