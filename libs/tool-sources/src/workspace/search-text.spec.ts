import { describe, expect, it } from '@jest/globals';
import { findLines, partOf, textOfBytes } from './search-text.js';

describe('findLines', () => {
  it('finds lines regardless of case, with number and offset', () => {
    const content = 'one\nTwo 注文\nthree two\n';
    const found = findLines(content, 'two', 10);
    expect(found).toEqual([
      { line: 2, offset: 4, text: 'Two 注文' },
      { line: 3, offset: 11, text: 'three two' },
    ]);
    for (const { offset, text } of found) expect(content.slice(offset).startsWith(text)).toBe(true);
  });

  it('takes the text literally, and no more lines or characters than allowed', () => {
    expect(findLines('axb\na.b', 'a.b', 10).map(({ line }) => line)).toEqual([2]);
    expect(findLines('x\nx\nx', 'x', 2)).toHaveLength(2);
    expect(findLines('x'.repeat(500), 'x', 1)[0]?.text).toHaveLength(200);
  });
});

it.each([
  [Buffer.from('Grüße'), 'Grüße'],
  [Buffer.from('\ufeffwith a mark'), 'with a mark'],
  [Buffer.alloc(0), ''],
  [Buffer.from([0xff, 0xfe]), null],
  [Buffer.from('a\0b'), null],
])('the text of %j is %j', (bytes, text) => expect(textOfBytes(bytes)).toBe(text));

describe('a part of a text', () => {
  it.each([
    ['abcdef', 0, 4, { text: 'abcd', next: 4 }],
    ['abcdef', 4, 4, { text: 'ef', next: null }],
    ['abcdef', 9, 4, { text: '', next: null }],
    ['ab🙂cd', 0, 3, { text: 'ab', next: 2 }],
    ['ab🙂cd', 2, 2, { text: '🙂', next: 4 }],
  ])('is, for %j from %d, %d characters, %j', (text, offset, most, part) => {
    expect(partOf(text, offset, most)).toEqual(part);
  });

  it('leads to the end at every size', () => {
    const text = '🙂'.repeat(3);
    for (const most of [1, 2, 3]) {
      const parts: string[] = [];
      for (let next: number | null = 0; next !== null;) {
        const part = partOf(text, next, most);
        parts.push(part.text);
        next = part.next;
      }
      expect(parts.length).toBeLessThanOrEqual(text.length);
    }
  });
});
