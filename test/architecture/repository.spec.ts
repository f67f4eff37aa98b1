import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { emptyFoldersUnder, exists, filesUnder, foldersIn, ROOT } from './repository-files.js';

const MEDIAN_LINES = 120;
const MAX_LINES = 300;
const MAX_KERNEL_FILES = 12;

const SOURCE = /\.(tsx?|mjs|cjs)$/;
const SPEC = /\.spec\.ts$/;
/** Lists of mutants, each a long table of data. */
const LIST = /^test\/mutations\/(crash-rules|s2|s3|s4|statements)\.ts$/;

const HOME_FOLDER = /\/(home|Users)\/(?!node\b)\w+\/|[A-Z]:\\Users\\/;
/** False for a checkout at `/app`, a path that every text about containers contains. */
const IS_DEEP = ROOT.split('/').length > 2;

const lines = (text: string): number => text.trimEnd().split('\n').length;

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

describe('the repository', () => {
  it('has a door to every library', () => {
    const libraries = foldersIn('libs');
    expect(libraries.length).toBeGreaterThan(5);
    expect(libraries.filter((name) => !exists(`libs/${name}/src/index.ts`))).toEqual([]);
  });

  it('has a main for every app', () => {
    const apps = foldersIn('apps');
    expect(apps.length).toBeGreaterThan(2);
    expect(apps.filter((name) => !exists(`apps/${name}/src/main.ts`))).toEqual([]);
  });

  it.each(['apps', 'libs', 'packages', 'scripts', 'test'])('has no empty folder under %s', (room) => {
    expect(emptyFoldersUnder(room)).toEqual([]);
  });

  it('keeps the kernel small', () => {
    const files = filesUnder('libs/kernel/src').filter(
      ({ path }) => !SPEC.test(path) && !path.endsWith('/index.ts'),
    );
    expect(files.length).toBeLessThanOrEqual(MAX_KERNEL_FILES);
  });

  it('has short source files: the median is short and none is long', () => {
    const sources = ['apps', 'libs', 'scripts', 'test']
      .flatMap(filesUnder)
      .filter(({ path }) => SOURCE.test(path) && !LIST.test(path));
    const long = sources.filter(({ text }) => lines(text) > MAX_LINES).map(({ path }) => path);
    expect(sources.length).toBeGreaterThan(100);
    expect(long).toEqual([]);
    expect(median(sources.map(({ text }) => lines(text)))).toBeLessThanOrEqual(MEDIAN_LINES);
  });

  it('names no folder of the machine it was written on', () => {
    const isInside = (text: string): boolean =>
      HOME_FOLDER.test(text) || (IS_DEEP && text.includes(`${ROOT}/`));
    const guilty = filesUnder('.').filter(({ path, text }) => path !== '.env' && isInside(text));
    expect(guilty.map(({ path }) => path)).toEqual([]);
  });

  it('gives its job of CI more time than the steps of it may take together', () => {
    const numbers = (path: string, pattern: RegExp): number[] =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(pattern)].map(([, number]) => Number(number));
    const seconds = numbers('.ci/run', /timeout --kill-after=\d+ (\d+)/g);
    const [minutes = 0] = numbers('.github/workflows/ci.yml', /timeout-minutes: (\d+)/g);
    expect(seconds.length).toBeGreaterThan(1);
    expect(minutes * 60).toBeGreaterThan(seconds.reduce((sum, limit) => sum + limit, 0));
  });

  it('has a lock that works with every registry', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(
      lock.match(
        /"resolved": "(?!packages\/).*|https?:\/\/[^/"]*(registry|npmjs|verdaccio|artifactory)[^/"]*/g,
      ) ?? [],
    ).toEqual([]);
    expect(lock.match(/"integrity": "sha512-/g)?.length).toBeGreaterThan(300);
  });
});
