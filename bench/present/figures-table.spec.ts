import { describe, expect, it } from '@jest/globals';
import { figure } from '../measure/figure.mjs';
import { figuresTable } from './figures-table.mjs';

const rate = (value: number) => figure('rate', value, 'executions/s', { atLeast: 330 });

describe('figuresTable', () => {
  it('has the figures of both queues beside each other, in the order of the cases', () => {
    const ofCase = (key: string, backend: 'postgres' | 'redis', figures: ReturnType<typeof figure>[]) => ({
      ...{ key, title: '', backend, seconds: 1, figures },
    });
    const results = [
      ofCase('h', 'postgres', [rate(300)]),
      ofCase('n', 'postgres', [figure('last / first', 1.25)]),
      ofCase('b', 'redis', [figure('submit p50', 3, 'ms')]),
      ofCase('h', 'redis', [rate(333.3)]),
    ];
    expect(figuresTable(results)).toBe(
      [
        '| case | figure       | PostgreSQL         | Redis              | aim   |',
        '| ---- | ------------ | ------------------ | ------------------ | ----- |',
        '| b    | submit p50   |                    | 3.00 ms            |       |',
        '| h    | rate         | 300 executions/s ✗ | 333 executions/s ✓ | ≥ 330 |',
        '| n    | last / first | 1.25               |                    |       |',
      ].join('\n'),
    );
  });
});
