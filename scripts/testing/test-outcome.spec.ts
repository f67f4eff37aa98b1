import { describe, expect, it } from '@jest/globals';
import type { FileReport } from './messages.ts';
import { commandThatRepeats, describeEnd, describeFailure, sumOf } from './test-outcome.ts';

const PASSED: FileReport = { file: 'libs/a.spec.ts', passed: 4, skipped: 0, failures: [] };
const FAILED: FileReport = {
  file: 'test/b.spec.ts',
  passed: 2,
  skipped: 1,
  failures: [{ title: 'adds two', message: '\u001b[31mexpected 1\u001b[39m\n\nreceived 2' }],
};
const BROKEN: FileReport = {
  file: 'test/c.spec.ts',
  passed: 0,
  skipped: 0,
  failures: [{ title: null, message: 'Cannot find module' }],
};

describe('the outcome of tests', () => {
  it('counts a file that cannot be run as a failed test', () => {
    expect(sumOf([PASSED, FAILED, BROKEN])).toEqual({ passed: 6, failed: 2, skipped: 1 });
  });

  it('names a failure by file and test, without colours, with the command that repeats it', () => {
    expect(describeFailure('test/b.spec.ts', FAILED.failures[0] ?? { title: null, message: '' })).toBe(
      [
        'FAILED test/b.spec.ts: adds two',
        '    expected 1',
        '    received 2',
        `    again: npm test -- test/b.spec.ts -t 'adds two$'`,
      ].join('\n'),
    );
  });

  it.each([
    [null, 'npm test -- a.spec.ts'],
    ['adds (1 + 2)', String.raw`npm test -- a.spec.ts -t 'adds \(1 \+ 2\)$'`],
    [`a tenant's [key] $1`, String.raw`npm test -- a.spec.ts -t 'a tenant'\''s \[key\] \$1$'`],
  ])('repeats %j by %s', (title, command) => {
    expect(commandThatRepeats('a.spec.ts', title)).toBe(command);
  });

  it('ends with the beginning of each failure and the line that machines read', () => {
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
    const text = describeEnd([
      PASSED,
      { ...FAILED, failures: [{ title: 'adds two', message: long }] },
      BROKEN,
    ]);
    expect(text.trim().split('\n').at(-1)).toBe('6 passed, 2 failed, 1 skipped');
    expect(text).toContain('FAILED test/c.spec.ts\n    Cannot find module\n');
    expect(text.match(/line \d+/g)).toHaveLength(12);
    expect(describeEnd([PASSED]).trim()).toBe('4 passed, 0 failed');
  });
});
