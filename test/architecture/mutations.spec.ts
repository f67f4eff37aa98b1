import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JestReport } from '../../scripts/testing/jest-report.ts';
import { testsByRequirement } from '../../scripts/requirements-table.ts';
import { applyMutant } from '../mutations/apply-mutant.js';
import { evaluateDoubting, evaluateReport, namesRow, type Verdict } from '../mutations/evaluate-report.js';
import { hasNumber, specsOf, type Mutant } from '../mutations/mutant.js';
import { MUTANTS } from '../mutations/mutants.js';
import { UnmutatedSpecs } from '../mutations/unmutated-specs.js';
import { exists, ROOT } from './repository-files.js';

const read = (file: string): string => (exists(file) ? readFileSync(join(ROOT, file), 'utf8') : '');
const nameOf = ({ row, file, find }: Mutant): string => `${row} ${file}: ${find}`;

describe('the list of mutants (npm run mutate:listed)', () => {
  it('has texts to replace that stand in their files exactly once', () => {
    expect(MUTANTS.filter((mutant) => applyMutant(read(mutant.file), mutant) === null).map(nameOf)).toEqual(
      [],
    );
  });

  it('changes something, in code that runs', () => {
    expect(MUTANTS.filter(({ find, replace }) => find === replace).map(nameOf)).toEqual([]);
    expect(
      MUTANTS.filter(({ file }) => !/^(apps|examples|libs)\/(?!.*\.spec\.ts$)/.test(file)).map(nameOf),
    ).toEqual([]);
  });

  it('says each mistake once', () => {
    const mistakes = MUTANTS.map(({ row, file, find, replace }) =>
      JSON.stringify([row, file, find, replace]),
    );
    expect(mistakes.filter((mistake, index) => mistakes.indexOf(mistake) !== index)).toEqual([]);
  });

  it('has one for each row of S2, S3 and S4 that is built', () => {
    const rows = new Set(MUTANTS.map(({ row }) => row));
    const tested = [...testsByRequirement(ROOT).keys()].filter((row) => /^S[234]-/.test(row));
    expect(tested.length).toBeGreaterThan(100);
    expect(tested.filter((row) => !rows.has(row))).toEqual([]);
  });

  it('names specs that exist, need no build and have a test that names the row', () => {
    const tests = testsByRequirement(ROOT);
    const hasTest = (mutant: Mutant, spec: string): boolean =>
      !hasNumber(mutant) ||
      (tests.get(mutant.row) ?? []).some(({ file }) => file === spec) ||
      namesRow(read(spec), mutant.row);
    const isUsable = (mutant: Mutant, spec: string): boolean =>
      exists(spec) &&
      /^(apps|libs|test\/(contract|integration|support))\//.test(spec) &&
      hasTest(mutant, spec);
    const bad = MUTANTS.filter(
      (mutant) => specsOf(mutant).length === 0 || !specsOf(mutant).every((spec) => isUsable(mutant, spec)),
    );
    expect(bad.map(nameOf)).toEqual([]);
  });
});

describe('applying a mutant', () => {
  const mutant: Mutant = {
    row: 'S4-31',
    file: 'a.ts',
    find: 'a + b',
    replace: '$& - b',
    spec: 'a.spec.ts',
    why: '',
  };

  it.each([
    ['puts the mistake in, as it is written', 'return a + b;', 'return $& - b;'],
    ['refuses a text that is not there', 'return b + a;', null],
    ['refuses a text that is there twice', 'a + b, a + b', null],
  ])('%s', (_what, source, expected) => {
    expect(applyMutant(source, mutant)).toBe(expected);
  });
});

describe('the verdict on a mutant', () => {
  const ASSERTION = 'Error: expect(received).toBe(expected)';
  const WAITED = 'Error: Waited 10000 ms in vain for: the answer. Last seen: expect(1).toBe(2)';
  const THROWN = (file: string): string =>
    `ZodError: []\n    at parse (/copy/node_modules/zod/a.js:1:1)\n    at read (/copy/${file}:5:1)`;
  const outcomeOf = (fullName: string, failure?: string) => ({
    fullName,
    status: failure === undefined ? 'passed' : 'failed',
    failureMessages: failure === undefined ? [] : [failure],
  });
  const report = (...assertionResults: ReturnType<typeof outcomeOf>[]): JestReport => ({
    testResults: [{ name: '/copy/libs/a.spec.ts', message: '', assertionResults }],
  });
  const evaluate = (row: string, answer: JestReport, spec: string | string[] = 'libs/a.spec.ts') =>
    evaluateReport({ row, file: 'libs/a.ts', find: '', replace: '', spec, why: '' }, answer).kind;

  it.each([
    ['a test of the row fails', 'killed', 'S4-31', report(outcomeOf('runs (S4-31)', ASSERTION))],
    ['a test of a range fails', 'killed', 'S4-23', report(outcomeOf('logs (S4-21 … S4-27)', ASSERTION))],
    ['a test of a decision fails', 'killed', '3.D-1', report(outcomeOf('reads (S0-31, 3.D-1)', ASSERTION))],
    ['a property fails', 'killed', 'S4-31', report(outcomeOf('S4-31', 'Property failed after 3 tests'))],
    [
      'a schema of the test refuses',
      'killed',
      'S4-31',
      report(outcomeOf('S4-31', THROWN('test/integration/a.spec.ts'))),
    ],
    [
      'a schema of the service refuses',
      'broken',
      'S4-31',
      report(outcomeOf('S4-31', THROWN('libs/a/src/a.ts'))),
    ],
    [
      'an answer is not as the document says',
      'killed',
      'S4-31',
      report(
        outcomeOf(
          'S4-31',
          THROWN('test/a.ts').replace(
            'ZodError',
            'Error: GET / is not as openapi.json says: status 200 has another body',
          ),
        ),
      ),
    ],
    ['a test waits in vain', 'killed', 'S4-31', report(outcomeOf('S4-31', WAITED))],
    ['a row without a number has any test fail', 'killed', 'display', report(outcomeOf('shows', ASSERTION))],
    ['nothing fails', 'survived', 'S4-31', report(outcomeOf('runs (S4-31)'))],
    [
      'only tests of another row fail',
      'broken',
      'S4-3',
      report(outcomeOf('S4-31', ASSERTION), outcomeOf('S4-3')),
    ],
    ['only tests of another decision fail', 'broken', '3.D-1', report(outcomeOf('3.D-10', ASSERTION))],
    [
      'a test throws without judging',
      'broken',
      'S4-31',
      report(outcomeOf('S4-31', 'TypeError: x is undefined')),
    ],
    [
      'a test runs out of time',
      'broken',
      'S4-31',
      report(outcomeOf('S4-31', 'Exceeded timeout of 30000 ms')),
    ],
    ['the spec does not load', 'broken', 'S4-31', report()],
    ['the spec was not run', 'broken', 'S4-31', { testResults: [] }],
  ])('%s: %s', (_what, kind, row, answer) => {
    expect(evaluate(row, answer)).toBe(kind);
  });

  it.each([
    ['nothing else fails', true, report(outcomeOf('S4-31', WAITED), outcomeOf('S4-31 too'))],
    [
      'something else fails too',
      undefined,
      report(outcomeOf('S4-31', WAITED), outcomeOf('S4-31', ASSERTION)),
    ],
    ['only what is asserted fails', undefined, report(outcomeOf('S4-31', ASSERTION))],
  ])('doubts a wait that was in vain where %s', (_what, expected, answer) => {
    const mutant = {
      row: 'S4-31',
      file: 'libs/a.ts',
      find: '',
      replace: '',
      spec: 'libs/a.spec.ts',
      why: '',
    };
    expect(evaluateReport(mutant, answer).isByWaiting).toBe(expected);
  });

  it('is asked for again where there was only such a wait', async () => {
    const evaluateOf = (...verdicts: Verdict[]) =>
      evaluateDoubting(() => Promise.resolve(verdicts.shift() as Verdict));
    const waited: Verdict = { kind: 'killed', detail: 'a wait', isByWaiting: true };
    const survived: Verdict = { kind: 'survived', detail: '' };
    expect(await evaluateOf(waited, survived)).toBe(survived);
    expect(await evaluateOf(waited, { ...waited })).toEqual(waited);
    expect(await evaluateOf(survived, waited)).toBe(survived);
  });

  it('asks every spec of the mutant', () => {
    const failing = report(outcomeOf('S4-31', ASSERTION)).testResults[0];
    const passing = { ...report(outcomeOf('S4-31')).testResults[0], name: '/copy/libs/b.spec.ts' };
    const both = { testResults: [failing, passing] } as JestReport;
    expect(evaluate('S4-31', both, ['libs/a.spec.ts'])).toBe('killed');
    expect(evaluate('S4-31', both, ['libs/a.spec.ts', 'libs/b.spec.ts'])).toBe('survived');
  });
});

describe('the specs of mutants without a mistake', () => {
  it('are run once each, and void the mutants of those that fail', async () => {
    const run: string[] = [];
    const specs = new UnmutatedSpecs();
    const faultOf = (...of: string[]) =>
      specs.faultOf(of, (spec) => {
        run.push(spec);
        return Promise.resolve(spec === 'red' ? 'it is red' : null);
      });
    expect(await faultOf('green', 'other')).toBeNull();
    expect(await faultOf('green', 'red')).toBe('fails without any mistake: it is red');
    expect(await faultOf('red')).toBe('fails without any mistake: it is red');
    expect(await faultOf('other')).toBeNull();
    expect(run).toEqual(['green', 'other', 'red']);
  });
});
