import { describe, expect, it } from '@jest/globals';
import type { SessionFile } from '../../api/types.js';
import { pathIn } from './file-path.js';
import { planUploads } from './plan-uploads.js';
import { textOfBytes } from './text-of-bytes.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the text of a file', () => {
  it.each([
    ['text', bytesOf('Prüfung 🍎\n'), 'Prüfung 🍎\n'],
    ['nothing', bytesOf(''), ''],
    ['bytes with a zero', bytesOf('a\0b'), null],
    ['bytes that are no UTF-8', Uint8Array.of(0x89, 0x50, 0xff), null],
    ['half a character', Uint8Array.of(0x61, 0xf0, 0x9f), null],
  ])('is read from %s', (_name, bytes, text) => expect(textOfBytes(bytes)).toBe(text));
});

describe('the path of a chosen file', () => {
  it.each([
    ['', 'may.csv', 'may.csv'],
    ['reports', 'may.csv', 'reports/may.csv'],
    [' /reports/ 2026/', 'may.csv ', 'reports/2026/may.csv'],
    ['', 'E\u0301te\u0301.txt', 'Été.txt'],
  ])('below %j of %j', (folder, name, path) => expect(pathIn(folder, name)).toBe(path));
});

describe('the files that are chosen', () => {
  const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: {} as File }));
  const there = [{ path: 'may.csv', sha256: 'aa' } as SessionFile];
  const wordsOf = ({ free, taken }: ReturnType<typeof planUploads>) => [
    free.map(({ path, replaced }) => [path, replaced]),
    taken.map(({ path, replaced }) => [path, replaced]),
  ];
  const [free, late] = [
    ['a', 'nothing'],
    ['a', 'another upload'],
  ];

  it.each([
    ['with new paths are sent', chosen('a', 'b'), [], [[free, ['b', 'nothing']], []]],
    [
      'with a path that is there are asked about',
      chosen('a', 'may.csv'),
      [],
      [[free], [['may.csv', { sha256: 'aa' }]]],
    ],
    ['with a path on its way are asked about', chosen('a'), ['a'], [[], [late]]],
    ['with one path are asked about from the second on', chosen('a', 'a'), [], [[free], [late]]],
  ])('%s', (_name, files, onTheirWay, expected) => {
    expect(wordsOf(planUploads(files, there, onTheirWay))).toEqual(expected);
  });
});
