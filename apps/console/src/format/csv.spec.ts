import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv.js';

describe('csvOf', () => {
  it('writes a header and rows that end with CRLF', () => {
    expect(csvOf(['model', 'calls'], [['gpt', 3]])).toBe('model,calls\r\ngpt,3\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['ünïcode 🙂', 'ünïcode 🙂'],
    ['', ''],
  ])('writes %j as %j', (text, cell) => {
    expect(csvOf(['x'], [[text]])).toBe(`x\r\n${cell}\r\n`);
  });

  it.each(['=1+1', '+1', '-cmd', '@SUM(A1)', ' =1', '\t=1', '\r=1'])('guards the formula %j', (text) => {
    const [, cell] = csvOf(['x'], [[text]]).split('x\r\n');
    expect(cell?.replace(/^"/, '')).toMatch(/^'/);
  });

  it('leaves numbers as they are, and writes what is not known as unknown', () => {
    expect(csvOf(['x', 'y', 'z'], [[-5, '-0.25', null]])).toBe('x,y,z\r\n-5,-0.25,unknown\r\n');
  });
});
