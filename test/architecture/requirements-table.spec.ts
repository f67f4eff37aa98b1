import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NOT_BUILT, WITHOUT_TEST } from '../../scripts/requirements-not-built.ts';
import {
  faultsOf,
  readRequirements,
  requirementsDocument,
  type Requirement,
} from '../../scripts/requirements-table.ts';
import { ROOT } from './repository-files.js';

const TEST = { file: 'libs/a.spec.ts', title: 'does it' };
/** Joins the parts of a number, so that the repository's own table does not count it as cited here. */
const number = (document: string, row: number) => [document, row].join('-');
const row = (of: string, more: Partial<Requirement> = {}): Requirement => ({
  number: of,
  notBuilt: null,
  tests: [TEST],
  mutants: 1,
  ...more,
});

describe('the table of requirements', () => {
  it('is whole for S0 to S3: each row that is built has a test, each of S2 and S3 a mutant', () => {
    const requirements = readRequirements(ROOT);
    expect(faultsOf(requirements)).toEqual([]);
    expect([...WITHOUT_TEST].filter((of) => /^S[0-3]-/.test(of))).toEqual([]);
    const built = requirements.filter(({ number: of, notBuilt }) => /^S[23]-/.test(of) && notBuilt === null);
    expect(built.filter(({ tests, mutants }) => tests.length === 0 || mutants === 0)).toEqual([]);
    expect(built.length + [...NOT_BUILT.keys()].filter((of) => /^S[23]-/.test(of)).length).toBe(79);
  });

  it.each<[string, Requirement[], string[]]>([
    ['all is well', [row(number('S2', 1)), row(number('S3', 1))], []],
    [
      'rows have no test',
      [row(number('S1', 2), { tests: [] }), row(number('S2', 2)), row(number('S3', 3), { tests: [] })],
      ['no test names S1-2, S3-3'],
    ],
    [
      'rows have no mutant',
      [row(number('S2', 2), { mutants: 0 }), row(number('S3', 3), { mutants: 0 }), row(number('S3', 4))],
      ['no mutant in test/mutations breaks S2-2, S3-3'],
    ],
    [
      'rows of S0 and S1 have no mutant',
      [row(number('S0', 1), { mutants: 0 }), row(number('S1', 1), { mutants: 0 })],
      [],
    ],
    ['a row is not built', [row(number('S4', 1), { notBuilt: 'later', tests: [], mutants: 0 })], []],
    [
      'a row is tested that counts as not built',
      [row(number('S2', 5), { notBuilt: 'later' })],
      ['listed as not built, and tested: S2-5'],
    ],
  ])('names what is wrong where %s', (_where, requirements, faults) => {
    expect(faultsOf(requirements)).toEqual(faults);
  });
});

describe('a tree of which the table is made', () => {
  const root = mkdtempSync(join(tmpdir(), 'capstan-requirements-'));
  afterAll(() => {
    rmSync(root, { recursive: true });
  });
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const [first, second, third] = [1, 2, 3].map((of) => number('S2', of));

  it('has the rows of its texts, the tests that name them, and the mutants that break them', () => {
    for (const document of ['s0', 's1', 's3', 's4'])
      write(`docs/contributing/requirements/${document}.md`, '# none');
    const rows = [first, second, third].map((of) => `- <a id="${of?.toLowerCase()}"></a>**${of}** It holds.`);
    write('docs/contributing/requirements/s2.md', rows.join('\n'));
    write('libs/a.spec.ts', `describe('a', () => { it('does (${first} … ${second})', () => {}); });`);
    write('libs/a.ts', `it('is no test of (${third})', () => {});`);
    write('apps/b.spec.ts', '');
    write('test/mutations/list.ts', `[\n  {\n    row: '${second}',\n  },\n  // row: '${first}',\n];`);
    const requirements = readRequirements(root);
    expect(requirements.map(({ number: of, tests, mutants }) => [of, tests.length, mutants])).toEqual([
      [first, 1, 0],
      [second, 1, 1],
      [third, 0, 0],
    ]);
    expect(faultsOf(requirements)).toEqual([
      `no test names ${third}`,
      `no mutant in test/mutations breaks ${first}`,
    ]);
    const document = requirementsDocument(requirements);
    expect(document).toContain('| [S2](../docs/contributing/requirements/s2.md) | 3 | 2 | 1 | 0 | 1 |');
    expect(document).toMatch(new RegExp(`${first}.*\\*\\*none\\*\\*`));
    expect(document).toMatch(new RegExp(`${third}.*\\*\\*no test\\*\\*`));
  });
});
