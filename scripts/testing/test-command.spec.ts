import { expect, it } from '@jest/globals';
import { mayStartPrograms } from './test-command.ts';

it.each([
  ['everything', [], true],
  ['the tests of every day in a known order', ['--seed', '7'], true],
  ['lanes', ['--all', '--lane', 'e2e/builds'], true],
  ['a file of test/', ['test/e2e/console/console.spec.ts'], true],
  ['such a file by its whole path', ['/src/capstan/test/crash/matrix/matrix.spec.ts'], true],
  ['a pattern', ['--testPathPatterns', 'claims'], true],
  ['a file beside the code', ['libs/kernel/src/cut-text.spec.ts', '-t', 'cuts'], false],
  ['one of each', ['libs/kernel/src/cut-text.spec.ts', 'test/contract/claims/claims.spec.ts'], true],
])('builds the programs as %s needs it', (_selected, args, expected) => {
  expect(mayStartPrograms(args)).toBe(expected);
});
