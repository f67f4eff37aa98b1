import { expect, it } from '@jest/globals';
import type { Measured, WayMeasured } from '../measure/measure-runs.mjs';
import { pairsTable } from './pairs-table.mjs';

function measured(cpu: number, memory = 300e6): Measured {
  const way: WayMeasured = {
    ...{ rate: 1, p50: 1, p99: 1, aloneP50: 60, loadShare: 0 },
    cpu: { system: cpu, postgres: 1, redis: 0.5, model: 9, load: 9 },
  };
  return { once: way, twice: way, memory };
}

it('shows medians, the median of the ratios of pairs, and the number of pairs in which the second side is lower', () => {
  const rows = pairsTable([
    { first: measured(4), second: measured(3) },
    { first: measured(8), second: measured(6) },
    { first: measured(2), second: measured(2.5, 310e6) },
  ]).split('\n');
  const row = (name: string) =>
    rows
      .find((line) => line.includes(`${name} `))
      ?.split('|')
      .map((cell) => cell.trim())
      .slice(1, -1);
  expect(row('of that API and worker, one request')).toEqual([
    'of that API and worker, one request',
    ...['4.00', '3.00', '0.750', '2 of 3'],
  ]);
  expect(row('CPU per run, ms, one request')?.slice(3)).toEqual(['0.818', '2 of 3']);
  expect(row('RSS, MB')?.slice(3)).toEqual(['1.000', '0 of 3']);
});
