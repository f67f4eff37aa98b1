import { describe, expect, it } from '@jest/globals';
import { visibleText } from './visible-text.js';

describe('a foreign text', () => {
  it.each([
    ['a command of a terminal', '\u001b[31mred\u001b[0m', '\u241b[31mred\u241b[0m'],
    ['bell and NUL', 'a\u0007\0', 'a\u2407\u2400'],
    ['delete', 'a\u007f', 'a\u2421'],
    ['an escape of one byte', '\u009b31m', '\u27e8U+009B\u27e931m'],
    ['a turned direction', '\u202Egnp.exe', '\u27e8U+202E\u27e9gnp.exe'],
    [
      'lines, tabs and letters of any script',
      'a\tb\r\n\u767a\u6ce8 \u{1f34e} \u05d0',
      'a\tb\r\n\u767a\u6ce8 \u{1f34e} \u05d0',
    ],
  ])('with %s', (_name, text, shown) => expect(visibleText(text)).toBe(shown));
});
