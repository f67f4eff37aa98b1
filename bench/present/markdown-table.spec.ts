import { describe, expect, it } from '@jest/globals';
import { figure } from '../measure/figure.mjs';
import { markdownTable } from './markdown-table.mjs';

describe('markdownTable', () => {
  it('has one row per figure, and says of each aim whether it is reached', () => {
    const figures = [
      figure('rate', 333.3, 'executions/s', { atLeast: 330 }),
      figure('over by hand', 12.34, 'ms', { atMost: 5 }),
      figure('ratio', 0.987),
      figure('not there', Number.NaN),
    ];
    const result = { key: 'h', title: 'agent job', backend: 'redis' as const, seconds: 1, figures };
    expect(markdownTable([result])).toBe(
      [
        '| case | queue | figure       | value            | aim     |',
        '| ---- | ----- | ------------ | ---------------- | ------- |',
        '| h    | redis | rate         | 333 executions/s | ≥ 330 ✓ |',
        '| h    | redis | over by hand | 12.3 ms          | ≤ 5 ✗   |',
        '| h    | redis | ratio        | 0.99             |         |',
        '| h    | redis | not there    | –                |         |',
      ].join('\n'),
    );
  });
});
