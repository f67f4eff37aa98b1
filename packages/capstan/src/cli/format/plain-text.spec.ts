import { describe, expect, it } from '@jest/globals';
import { jsonLine, oneLine, plainText } from './plain-text.js';

describe('a text of a model at a terminal', () => {
  it.each([
    ['\u001b[2J\u001b]0;title\u0007', '�[2J�]0;title�'],
    ['\u009b31m', '�31m'],
    ['abc\u202Etxt.exe', 'abc�txt.exe'],
    ['hidden\rshown', 'hidden�shown'],
    ['two\r\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['Grüße 🚢', 'Grüße 🚢'],
  ])('%j cannot command it', (text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it('is cut between characters', () => {
    expect(oneLine('a\n  b   c', 10)).toBe('a b c');
    expect(oneLine('🚢🚢🚢🚢', 3)).toBe('🚢🚢…');
  });

  it('is JSON that says the same and commands nothing', () => {
    const value = { text: '\u001b[2J\u009b31m\u202E' };
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(plainText(line)).toBe(line);
  });
});
