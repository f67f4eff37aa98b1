import { expect, it } from '@jest/globals';
import { rateLimited } from './rate-limited.js';

it('reports once per interval and says how many reports were left out', () => {
  let now = 0;
  const seen: [string, number][] = [];
  const report = rateLimited<string>(
    (value, suppressed) => seen.push([value, suppressed]),
    1_000,
    () => now,
  );
  report('a');
  report('b');
  report('c');
  now = 1_000;
  report('d');
  expect(seen).toEqual([
    ['a', 0],
    ['d', 2],
  ]);
});
