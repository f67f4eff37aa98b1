import { describe, expect, it } from '@jest/globals';
import { pathIn } from './file-path.js';
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
