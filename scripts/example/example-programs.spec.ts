import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EXAMPLE_PROGRAMS, listExamplePrograms } from './example-programs.ts';
import { runExampleProgram, withClient } from './run-example-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('npm run example', () => {
  let written: string;
  beforeEach(() => {
    written = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('knows every program of the examples', () => {
    const programs = globSync('examples/*/*.ts', { cwd: ROOT }).filter((path) =>
      readFileSync(join(ROOT, path), 'utf8').includes('new Capstan('),
    );
    const known = EXAMPLE_PROGRAMS.map(({ file }) => file);
    expect(known).toEqual(expect.arrayContaining(programs));
    expect(known).toHaveLength(new Set(known).size);
    for (const file of known) expect(readFileSync(join(ROOT, file), 'utf8')).toContain('npm run example -- ');
  });

  it.each([
    ['', 'Name an example.'],
    ['gone', 'There is no example "gone".'],
  ])('lists them all where "%s" is none', async (name, wrong) => {
    const exitCode = await runExampleProgram({ root: ROOT, name, args: [], env: {} });
    expect(exitCode).toBe(1);
    expect(written).toBe(`${wrong} These run beside npm run quickstart:\n${listExamplePrograms()}\n`);
    for (const { name: known } of EXAMPLE_PROGRAMS) expect(written).toContain(`npm run example -- ${known}`);
  });

  it.each([
    ['API and its key', { API: 'a', API_KEY: 'k' }, 'a', 'k'],
    [
      'API before the address of the client',
      { API: 'a', CAPSTAN_BASE_URL: 'c', CAPSTAN_API_KEY: 'l' },
      'a',
      'l',
    ],
    ['the address of the client, and API_KEY', { CAPSTAN_BASE_URL: 'c', API_KEY: 'k' }, 'c', 'k'],
    [
      'address and key of the client',
      { CAPSTAN_BASE_URL: 'c', CAPSTAN_API_KEY: 'l', API_KEY: 'k' },
      'c',
      'l',
    ],
    ['an API without a key', { API: 'a' }, 'a', undefined],
    ['no API', { API_KEY: 'k' }, undefined, undefined],
  ])('passes on %s', (_case, env, url, key) => {
    const { CAPSTAN_BASE_URL, CAPSTAN_API_KEY } = withClient(env);
    expect([CAPSTAN_BASE_URL, CAPSTAN_API_KEY]).toEqual([url, key]);
  });
});
