import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { placeOf } from './seeded-order.ts';

const ROOT = join(import.meta.dirname, '../..');
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const CONFIG = {
  rootDir: ROOT,
  runtime: '<rootDir>/test/runner/native-runtime.ts',
  testEnvironment: '<rootDir>/test/runner/native-environment.ts',
  transform: { '\\.ts$': '@swc/jest' },
  testMatch: ['<rootDir>/test/runner/fixtures/*.fixture.ts'],
};

interface Result {
  readonly status: string;
  readonly message: string;
}

/** By the name of the test. */
const results = new Map<string, Result>();

beforeAll(async () => {
  const files = ['first', 'second', 'fails'].map((name) =>
    join(import.meta.dirname, 'fixtures', `${name}.fixture.ts`),
  );
  const { stdout } = await execa(
    process.execPath,
    [JEST, '--config', JSON.stringify(CONFIG), '--runInBand', '--json', '--runTestsByPath', ...files],
    { cwd: ROOT, reject: false, env: { NO_COLOR: '1', FORCE_COLOR: '0' } },
  );
  const { testResults } = JSON.parse(stdout) as {
    testResults: {
      assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
    }[];
  };
  for (const { assertionResults } of testResults) {
    for (const { fullName, status, failureMessages } of assertionResults) {
      results.set(fullName, { status, message: failureMessages.join('\n') });
    }
  }
});

describe('spec files of one worker process', () => {
  it.each(['first', 'second'])('share modules and nothing else: %s', (file) => {
    for (const name of ['compares 1 with 1', 'shares a module', 'has real timers']) {
      expect(results.get(`${file} ${name}`)).toEqual({ status: 'passed', message: '' });
    }
  });

  it.each([
    ['fails by an assertion', /Expected: .*2[\s\S]*fails\.fixture\.ts:9:\d+/],
    ['hangs', /Exceeded timeout of 50 ms/],
    ['leaves a rejection', /nothing waits for it/],
    ['a suite that cannot begin has no test that passes', /no beginning/],
  ])('fail a test that %s, and say why and where', (name, message) => {
    const { status, message: said } = results.get(name) ?? { status: 'absent', message: '' };
    expect(status).toBe('failed');
    expect(said).toMatch(message);
  });
});

describe('the order of files', () => {
  const FILES = Array.from({ length: 20 }, (_, index) => `test/${index}.spec.ts`);
  const order = (seed: number): string[] =>
    FILES.toSorted((a, b) => (placeOf(a, seed) < placeOf(b, seed) ? -1 : 1));

  it('is the same for the same seed, and another for another', () => {
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
    expect(order(1)).not.toEqual(FILES);
  });
});
