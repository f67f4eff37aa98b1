import { expect, it } from '@jest/globals';
import { byFolder, filesOf, functionsOf, functionsOfEachRun } from './files-of-run.ts';

const DIST = 'file:///capstan/dist/';
const script = (path: string, ...functions: readonly (readonly [start: number, calls: number])[]) => ({
  url: `${DIST}${path}`,
  functions: functions.map(([startOffset, count]) => ({ ranges: [{ startOffset, count }] })),
});

it('counts files with a function that ran, but neither bodies of modules nor other code', () => {
  const functions = functionsOf([
    script('libs/a/src/ran.js', [0, 0], [20, 0], [90, 3]),
    script('libs/a/src/imported.js', [0, 1], [20, 0]),
    script('libs/a/src/without-functions.js'),
    script('apps/api/src/http/ran.js', [0, 1], [7, 1], [8, 1]),
    script('programs/api.js', [7, 1]),
    { ...script('x', [7, 1]), url: 'node:fs' },
    { ...script('x', [7, 1]), url: 'file:///capstan/node_modules/pg/index.js' },
  ]);
  expect(filesOf(functions, DIST)).toEqual(['apps/api/src/http/ran.ts', 'libs/a/src/ran.ts']);
});

it('leaves out functions that only some runs needed', () => {
  const runs = [
    ['a', 'b', 'timer'],
    ['a', 'b'],
    ['a', 'b', 'other'],
  ].map((names) => new Set(names));
  expect([...functionsOfEachRun(runs)]).toEqual(['a', 'b']);
  expect([...functionsOfEachRun([])]).toEqual([]);
});

it('groups files by the first folder of their app or library', () => {
  expect(
    byFolder(['apps/api/src/http/a.ts', 'libs/a/src/b/c/d.ts', 'libs/a/src/b/e.ts', 'libs/a/src/f.ts']),
  ).toEqual([
    { folder: 'apps/api/src/http', files: ['apps/api/src/http/a.ts'] },
    { folder: 'libs/a/src/b', files: ['libs/a/src/b/c/d.ts', 'libs/a/src/b/e.ts'] },
    { folder: 'libs/a/src', files: ['libs/a/src/f.ts'] },
  ]);
});
