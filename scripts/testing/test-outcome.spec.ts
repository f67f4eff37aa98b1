import { describe, expect, it } from '@jest/globals';
import { readTestOutcome, testOutcomeOf, type JestRunReport } from './test-outcome.ts';

const NOTHING: JestRunReport = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
};

describe('the outcome of tests', () => {
  it('names what failed, by file and test, with the beginning of what was wrong', () => {
    const lines = [
      '\u001b[31mexpected 1\u001b[39m',
      '',
      'received 2',
      ...Array.from({ length: 40 }, () => 'at'),
    ];
    const report: JestRunReport = {
      ...NOTHING,
      numPassedTests: 4,
      numFailedTests: 1,
      testResults: [
        {
          name: '/root/test/a.spec.ts',
          message: 'all of it',
          assertionResults: [
            { fullName: 'adds one', status: 'passed', failureMessages: [] },
            { fullName: 'adds two', status: 'failed', failureMessages: [lines.join('\n')] },
          ],
        },
      ],
    };

    const { passed, failed, failures } = testOutcomeOf(report, '/root');

    expect([passed, failed, failures.length]).toEqual([4, 1, 1]);
    const written = failures[0]?.split('\n') ?? [];
    expect(written.slice(0, 3)).toEqual(['test/a.spec.ts: adds two', '    expected 1', '    received 2']);
    expect(written).toHaveLength(13);
  });

  it('counts a file that cannot be run as a failed test, and says why', () => {
    const report: JestRunReport = {
      ...NOTHING,
      numRuntimeErrorTestSuites: 1,
      testResults: [
        { name: '/root/b.spec.ts', message: 'Cannot find module', assertionResults: [] },
        { name: '/root/c.spec.ts', message: '', assertionResults: [] },
      ],
    };

    expect(testOutcomeOf(report, '/root')).toEqual({
      passed: 0,
      failed: 1,
      failures: ['b.spec.ts\n    Cannot find module'],
    });
  });

  it('takes tests without a report as failed', async () => {
    const outcome = await readTestOutcome('/nowhere/report.json', '/root');

    expect(outcome).toMatchObject({ passed: 0, failed: 1 });
    expect(outcome.failures).toEqual([expect.stringContaining('Jest wrote no report')]);
  });
});
